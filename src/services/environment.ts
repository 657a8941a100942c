// The environment: whether the device is online and the page visible, as one stream and one port.
import { distinctUntilChanged, fromEvent, map, merge, startWith, type Observable } from 'rxjs'
import { fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import type { EnvironmentEvent } from '../machines/ports.ts'

export interface Surroundings {
  readonly online: boolean
  readonly visible: boolean
}

/** What the browser says of itself; elsewhere always online and visible. */
export function surroundings(): Observable<Surroundings> {
  const look = (): Surroundings => ({
    online: globalThis.navigator?.onLine ?? true,
    visible: globalThis.document?.visibilityState !== 'hidden',
  })
  const changes = globalThis.window
    ? merge(
        fromEvent(window, 'online'),
        fromEvent(window, 'offline'),
        fromEvent(document, 'visibilitychange'),
      )
    : merge()
  return changes.pipe(
    map(look),
    startWith(look()),
    distinctUntilChanged((a, b) => a.online === b.online && a.visible === b.visible),
  )
}

export const createEnvironmentPort = (source: Observable<Surroundings>) =>
  fromCallback<EventObject, NonReducibleUnknown, EnvironmentEvent>(({ sendBack }) => {
    const subscription = source.subscribe(now => sendBack({ type: 'environment.changed', ...now }))
    return () => subscription.unsubscribe()
  })
