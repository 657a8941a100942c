// What the browser extension finds in a page: a wire for each panel, with messages as JSON.
import type { Systems } from '../../ui/console/attach/systems.ts'
import { fromWindow } from '../../ui/console/attach/tab-messages.ts'
import type { FromApp, FromWindow, Wire } from '../../ui/console/attach/tab-protocol.ts'

/** The global through which the developer tools of the browser reach the recordings of a page. */
interface Exposed {
  /** Passes a message of a panel, as JSON. */
  readonly send: (panel: string, text: string) => void
  /** Returns the messages for a panel since its last call, as a JSON list. */
  readonly take: (panel: string) => string
}

const NAME = '__CHARTROOM__'

/** A panel that takes nothing for as long, in milliseconds, counts as closed. */
const PATIENCE_MS = 10_000

/**
 * Exposes the systems. Only code that runs in the page can use it, which could read them anyway. Returns a
 * function that ends all wires.
 */
export function exposeSystems(systems: Systems): () => void {
  const wires = new Map<string, PanelWire>()
  const wireOf = (panel: string): PanelWire => {
    const known = wires.get(panel)
    if (known) return known
    let unlink = () => undefined as void
    const wire = new PanelWire(() => {
      wires.delete(panel)
      unlink()
    })
    wires.set(panel, wire)
    void import('../../ui/console/attach/link.ts').then(({ linkOver }) => {
      if (wires.get(panel) === wire) unlink = linkOver(wire, systems)
    })
    return wire
  }
  const exposed: Exposed = {
    send: (panel, text) => {
      const message = fromWindow(parsed(text))
      if (message) wireOf(panel).receive(message)
    },
    take: panel => wireOf(panel).take(),
  }
  Object.defineProperty(globalThis, NAME, { value: exposed, configurable: true })
  return () => {
    for (const wire of wires.values()) wire.end()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Keeps messages until the panel takes them. */
class PanelWire implements Wire<FromApp, FromWindow> {
  readonly #onEnd: () => void
  readonly #early: FromWindow[] = []
  #out: unknown[] = []
  #listener: ((message: FromWindow) => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
  }

  readonly send = (message: FromApp): void => {
    if (message.kind === 'file' && message.bytes) void this.#sendFile(message, message.bytes)
    else this.#out.push(message)
  }

  readonly onMessage = (listener: (message: FromWindow) => void): void => {
    this.#listener = listener
    for (const message of this.#early.splice(0)) listener(message)
  }

  readonly close = (): void => clearTimeout(this.#timer)

  end(): void {
    this.close()
    this.#onEnd()
  }

  receive(message: FromWindow): void {
    if (this.#listener) this.#listener(message)
    else this.#early.push(message)
  }

  take(): string {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onEnd, PATIENCE_MS)
    return JSON.stringify(this.#out.splice(0))
  }

  async #sendFile(message: FromApp, bytes: Blob): Promise<void> {
    const data = new Uint8Array(await bytes.arrayBuffer())
    this.#out.push({ ...message, bytes: btoa(Array.from(data, byte => String.fromCharCode(byte)).join('')) })
  }
}
