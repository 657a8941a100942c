// The control point between a client and its platform. It passes everything through until a control is
// connected.
import {
  type ClientControl,
  createClock,
  type PageEvents,
  type Platform,
  type Steered,
} from '../runtime/index.ts'
import { ControlClock } from './control-clock.ts'

type Fetch = typeof globalThis.fetch
type Socket = typeof globalThis.WebSocket

/** Interceptor of a connected control. */
export interface Interceptor {
  fetch(real: Fetch, ...call: Parameters<Fetch>): Promise<Response>
  /** Called when a socket is created. */
  onSocketCreated(socket: WebSocket): void
  sends(data: Parameters<WebSocket['send']>[0], send: (data: Parameters<WebSocket['send']>[0]) => void): void
  /** Returns false to keep the event from the app, at least for now. */
  onMessage(socket: WebSocket, event: Event): boolean
  /** @throws the error that the storage should throw */
  onStorageWrite(): void
  isOffline(): boolean
}

/** What a control can access. */
export interface ControlPointState {
  readonly clock: ControlClock
  readonly sockets: ReadonlySet<WebSocket>
  /** Notifies the app's listeners that the page went online or offline. */
  readonly notifyPage: (what: 'online' | 'offline') => void
}

/** A control point. */
export class ControlPoint implements ClientControl, ControlPointState {
  interceptor: Interceptor | undefined
  /** Intercepts commands to the system. */
  command: ((event: { readonly type: string }, run: () => void) => void) | undefined
  steered: Steered | undefined
  readonly sockets = new Set<WebSocket>()
  readonly #page = new EventTarget()
  #clock: ControlClock | undefined

  /** Clock for a system that is not a client. */
  get clock(): ControlClock {
    return (this.#clock ??= new ControlClock(createClock()))
  }

  readonly notifyPage = (what: 'online' | 'offline'): void => void this.#page.dispatchEvent(new Event(what))

  world({ fetch, WebSocket, storage, clock, page = globalThis }: Platform): Platform {
    this.#clock = new ControlClock(clock)
    return {
      fetch: (...call) => (this.interceptor ? this.interceptor.fetch(fetch, ...call) : fetch(...call)),
      WebSocket: WebSocket && controlledSocket(WebSocket, this),
      clock: this.#clock,
      storage: {
        getItem: key => storage.getItem(key),
        removeItem: key => storage.removeItem(key),
        setItem: (key, value) => {
          this.interceptor?.onStorageWrite()
          return storage.setItem(key, value)
        },
      },
      ...(page.window && page.document && { page: this.#paged(page as PageEvents) }),
    }
  }

  attach<S extends Steered>(steered: S): S {
    const send = steered.send.bind(steered)
    const controlled: S = {
      ...steered,
      send: (event: Parameters<S['send']>[0]) =>
        this.command ? this.command(event, () => send(event)) : send(event),
    }
    this.steered = controlled
    notePurposes(steered.actor, this.clock)
    return controlled
  }

  #paged({ window, document, navigator }: PageEvents): PageEvents {
    const isOffline = () => this.interceptor?.isOffline() ?? false
    const both = {
      addEventListener: (...args: Parameters<EventTarget['addEventListener']>) => {
        window.addEventListener(...args)
        this.#page.addEventListener(...args)
      },
      removeEventListener: (...args: Parameters<EventTarget['removeEventListener']>) => {
        window.removeEventListener(...args)
        this.#page.removeEventListener(...args)
      },
      dispatchEvent: (event: Event) => this.#page.dispatchEvent(event),
    }
    return {
      window: both,
      document,
      navigator: {
        get onLine() {
          return navigator.onLine && !isOffline()
        },
      },
    }
  }
}

/** Records what machines set their timers for. */
export function notePurposes({ system: { scheduler } }: Steered['actor'], clock: ControlClock): void {
  const { schedule } = scheduler
  scheduler.schedule = (source, target, event, ...rest) => {
    clock.purpose = { source, target, event }
    try {
      schedule(source, target, event, ...rest)
    } finally {
      clock.purpose = undefined
    }
  }
}

function controlledSocket(Real: Socket, point: ControlPoint): Socket {
  return class extends Real {
    constructor(...args: ConstructorParameters<Socket>) {
      super(...args)
      point.sockets.add(this)
      // Before all listeners of the app.
      for (const type of ['open', 'message', 'close'])
        this.addEventListener(type, event => this.#receive(event))
      point.interceptor?.onSocketCreated(this)
    }

    override send(data: Parameters<WebSocket['send']>[0]): void {
      const send = (what: typeof data) => super.send(what)
      if (point.interceptor) point.interceptor.sends(data, send)
      else send(data)
    }

    #receive(event: Event): void {
      if (event.type === 'close') point.sockets.delete(this)
      if (point.interceptor && !point.interceptor.onMessage(this, event)) event.stopImmediatePropagation()
    }
  }
}
