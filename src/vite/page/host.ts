// The console's place in a page of the app: loads and shows the dock, and links the console in its own window.
import { memoryLocation } from '../../ui/console/model/location.ts'
import type { Systems } from '../../ui/console/attach/systems.ts'
import { tabIdOf } from '../../ui/console/attach/tab-protocol.ts'
import type { PageSettings } from './client.ts'
import type { PageEdits } from './edits.ts'
import { tabStorage } from './tab-storage.ts'

const isToggle = (event: KeyboardEvent): boolean =>
  (event.code === 'Backquote' && event.ctrlKey && !event.altKey && !event.metaKey) ||
  // For layouts in which the backtick is a dead key.
  (event.code === 'KeyC' && event.altKey && !event.ctrlKey && !event.metaKey)

/** Above everything that an app usually draws. */
const ABOVE = 2_147_483_000

/** Waits for the first system, and then offers the console. */
export function createHost(
  systems: Systems,
  { page, open, button }: PageSettings,
  edits: PageEdits | undefined,
): void {
  const stored = tabStorage('open')
  const stop = systems.subscribe(() => {
    stop()
    const dock = new Dock(systems, page, edits, isOpen => stored.write(String(isOpen)))
    window.addEventListener('keydown', event => {
      if (!isToggle(event)) return
      event.preventDefault()
      dock.toggle()
    })
    if (button) document.body.append(openButton(dock.toggle))
    const tab = tabIdOf(window)
    if (tab !== undefined) dock.link(tab)
    if ((stored.read() ?? String(open)) === 'true') dock.open(false)
  })
}

class Dock {
  readonly #systems: Systems
  readonly #page: string
  readonly #edits: PageEdits | undefined
  readonly #onChange: (isOpen: boolean) => void
  readonly #location = memoryLocation()
  #close: (() => void) | undefined
  #linked: string | undefined

  /** @param page URL of the console's own page */
  constructor(
    systems: Systems,
    page: string,
    edits: PageEdits | undefined,
    onChange: (isOpen: boolean) => void,
  ) {
    this.#systems = systems
    this.#page = page
    this.#edits = edits
    this.#onChange = onChange
  }

  readonly toggle = (): void => (this.#close ? this.close() : this.open())

  /** A console that was open before the page was loaded does not take the focus. */
  open(takesFocus = true): void {
    if (this.#close) return
    const before = document.activeElement
    const place = document.createElement('div')
    place.style.cssText = `position: fixed; inset: auto 0 0; z-index: ${ABOVE}`
    document.body.append(place)
    let unmount = () => undefined as void
    this.#close = () => {
      unmount()
      place.remove()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
    this.#onChange(true)
    void this.#edits?.watch(true)
    import('../../ui/console/attach/dock.tsx').then(
      ({ mountDock }) => {
        if (place.isConnected) unmount = mountDock(place, this.#dockProps(takesFocus))
      },
      (error: unknown) => {
        place.textContent = `The console could not be loaded (${String(error)}). Reload the page to try again.`
      },
    )
  }

  close(): void {
    const close = this.#close
    this.#close = undefined
    close?.()
    void this.#edits?.watch(false)
    this.#onChange(false)
  }

  /** Keeps the window of this tab connected. */
  link(tab: string): void {
    if (tab === this.#linked) return
    this.#linked = tab
    void import('../../ui/console/attach/link.ts').then(({ linkOwnWindowTo }) =>
      linkOwnWindowTo(tab, this.#systems, at => {
        this.#location.write(at, 'replace')
        this.open()
      }),
    )
  }

  #dockProps(takesFocus: boolean) {
    return {
      systems: this.#systems,
      ...(this.#edits && { edits: this.#edits }),
      page: this.#page,
      location: this.#location,
      takesFocus,
      height: tabStorage('height'),
      onClose: () => this.close(),
      onDetach: (tab: string) => {
        this.link(tab)
        this.close()
      },
    }
  }
}

function openButton(onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Chartroom'
  button.title = 'Open the console (Ctrl+` or Alt+C)'
  button.style.cssText = `all: revert; position: fixed; right: 8px; bottom: 8px; z-index: ${ABOVE - 1};
    padding: 4px 10px; border: 1px solid #8888; border-radius: 14px; background: #1b2530; color: #e8eef4;
    font: 12px/1.4 system-ui, sans-serif; cursor: pointer; opacity: 0.75`
  button.addEventListener('click', onClick)
  return button
}
