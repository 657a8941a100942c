// Links all systems of a page to a console in a separate window, which chooses the one that is sent.
import type { PlaceParams } from '../model/location.ts'
import type { Systems } from './systems.ts'
import { type AppWire, linkTab } from './tab-link.ts'
import type { FromWindow } from './tab-protocol.ts'

export interface SystemsLinkOptions {
  readonly systems: Systems
  readonly wire: AppWire
  readonly newId: () => string
  /** Called with the console's place when the user docks the console. */
  readonly onDock: (at: PlaceParams) => void
}

/** Returns a function that unlinks. */
export function linkSystems({ systems, wire, newId, onDock }: SystemsLinkOptions): () => void {
  let current: { readonly id: number; readonly part: PartWire; readonly close: () => void } | undefined
  let [isConnected, isDriving] = [false, false]
  const sendList = () =>
    wire.send({ kind: 'systems', systems: systems.entries(), shown: systems.shown()?.id })
  const follow = () => {
    const shown = systems.shown()
    if (!shown || shown.id === current?.id) return
    const isFirst = current === undefined
    current?.part.disconnect()
    current?.close()
    const part = new PartWire(wire, isFirst)
    const { recording, control } = shown
    const { leave, close } = linkTab({ recording, control, wire: part, newId, onDock })
    window.addEventListener('pagehide', leave)
    current = {
      id: shown.id,
      part,
      close() {
        window.removeEventListener('pagehide', leave)
        close()
      },
    }
    if (isFirst || !isConnected) return
    // To the window it is another recording of the same page.
    part.receive({ kind: 'hello' })
    if (isDriving) part.receive({ kind: 'drive' })
  }
  const receive = (message: FromWindow) => {
    if (message.kind === 'show') return systems.show(message.system)
    if (message.kind === 'hello') {
      isConnected = true
      sendList()
    }
    if (message.kind === 'drive') isDriving = true
    if (message.kind === 'closed' || message.kind === 'dock') [isConnected, isDriving] = [false, false]
    current?.part.receive(message)
  }
  wire.onMessage(receive)
  follow()
  const unsubscribe = systems.subscribe(() => {
    follow()
    sendList()
  })
  return () => {
    unsubscribe()
    current?.close()
    wire.close()
  }
}

/** The wire of one system. */
class PartWire implements AppWire {
  readonly #wire: AppWire
  readonly #greets: boolean
  #isConnected = true
  #listener: ((message: FromWindow) => void) | undefined

  /** @param greets whether the window is notified that the page is there */
  constructor(wire: AppWire, greets: boolean) {
    this.#wire = wire
    this.#greets = greets
  }

  readonly send: AppWire['send'] = message => {
    const isGreeting = message.kind === 'here'
    if (this.#isConnected && (!isGreeting || this.#greets)) this.#wire.send(message)
  }

  readonly onMessage: AppWire['onMessage'] = listener => {
    this.#listener = listener
  }

  receive(message: FromWindow): void {
    this.#listener?.(message)
  }

  /** Sends nothing from now on. */
  disconnect(): void {
    this.#isConnected = false
  }

  readonly close = (): void => this.disconnect()
}
