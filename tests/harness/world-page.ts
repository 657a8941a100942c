// The page of a tab: what a browser's window, document and navigator report to listeners.
import { createEnvironmentPort, pageEnvironment } from '../../src/services/client/environment.ts'
import type { TabClock } from './world-clock.ts'

export interface WorldPage {
  readonly window: EventTarget
  readonly environment: ReturnType<typeof createEnvironmentPort>
  /** The storage of the profile changed elsewhere. */
  storageChanged(key: string | null, newValue: string | null): void
  show(isVisible: boolean): void
  freeze(): void
  resume(): void
  /** The device went online or offline; a page is notified only while it runs. */
  networkChanged(): void
}

/** A visible page. */
export function createPage(clock: TabClock, isOnline: () => boolean): WorldPage {
  const window = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const navigator = {
    get onLine() {
      return isOnline()
    },
  }
  const dispatch = (target: EventTarget, type: string) => void target.dispatchEvent(new Event(type))
  return {
    window,
    environment: createEnvironmentPort(pageEnvironment({ window, document, navigator }), clock),
    storageChanged: (key, newValue) =>
      void window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue })),
    show(isVisible) {
      document.visibilityState = isVisible ? 'visible' : 'hidden'
      dispatch(document, 'visibilitychange')
    },
    freeze: () => dispatch(document, 'freeze'),
    resume: () => dispatch(document, 'resume'),
    networkChanged: () => dispatch(window, isOnline() ? 'online' : 'offline'),
  }
}
