// The seat of a control: stands between a client and its world from the start, and lets everything pass until it is taken.
import type { SessionStorage } from '../client-types.ts'
import { createClock } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { PageEvents } from '../environment.ts'
import type { Steered } from './steered.ts'
import { ControlClock } from './control-clock.ts'

type Fetch = typeof globalThis.fetch
type Socket = typeof globalThis.WebSocket

/** What a client touches of the world. */
export interface World {
  readonly fetch: Fetch
  readonly WebSocket: Socket | undefined
  readonly storage: SessionStorage
  readonly clock: Clock
  readonly page?: Partial<PageEvents>
}

/** What comes between, once the seat is taken. */
export interface Meddler {
  fetch(real: Fetch, ...call: Parameters<Fetch>): Promise<Response>
  /** A socket is being made. */
  born(socket: WebSocket): void
  sends(data: Parameters<WebSocket['send']>[0], send: (data: Parameters<WebSocket['send']>[0]) => void): void
  /** False when the app is not to hear of it, now at least. */
  hears(socket: WebSocket, event: Event): boolean
  /** @throws what the storage is to throw */
  stores(): void
  isOffline(): boolean
}

/** The option `control` of `createChartroomClient`. */
export interface ClientControl {
  world(world: World): World
  /** Called with what runs, before its start. */
  attach<S extends Steered>(steered: S): S
}

/** What a seat gives to whoever takes it. */
export interface Seated {
  readonly clock: ControlClock
  readonly sockets: ReadonlySet<WebSocket>
  /** Tells the app's listeners that the page went online or offline. */
  readonly tellPage: (what: 'online' | 'offline') => void
}

/** A seat. */
export class Seat implements ClientControl, Seated {
  meddler: Meddler | undefined
  /** Takes commands on their way to the system. */
  command: ((event: { readonly type: string }, run: () => void) => void) | undefined
  steered: Steered | undefined
  readonly sockets = new Set<WebSocket>()
  readonly #page = new EventTarget()
  #clock: ControlClock | undefined

  /** For a system that is no client: to be given to it as its clock. */
  get clock(): ControlClock {
    return (this.#clock ??= new ControlClock(createClock()))
  }

  readonly tellPage = (what: 'online' | 'offline'): void => void this.#page.dispatchEvent(new Event(what))

  world({ fetch, WebSocket, storage, clock, page = globalThis }: World): World {
    this.#clock = new ControlClock(clock)
    return {
      fetch: (...call) => (this.meddler ? this.meddler.fetch(fetch, ...call) : fetch(...call)),
      WebSocket: WebSocket && seatedSocket(WebSocket, this),
      clock: this.#clock,
      storage: {
        getItem: key => storage.getItem(key),
        removeItem: key => storage.removeItem(key),
        setItem: (key, value) => {
          this.meddler?.stores()
          return storage.setItem(key, value)
        },
      },
      ...(page.window && page.document && { page: this.#paged(page as PageEvents) }),
    }
  }

  attach<S extends Steered>(steered: S): S {
    const send = steered.send.bind(steered)
    const seated: S = {
      ...steered,
      send: (event: Parameters<S['send']>[0]) =>
        this.command ? this.command(event, () => send(event)) : send(event),
    }
    this.steered = seated
    notePurposes(steered.actor, this.clock)
    return seated
  }

  #paged({ window, document, navigator }: PageEvents): PageEvents {
    const isOffline = () => this.meddler?.isOffline() ?? false
    const both = {
      addEventListener: (...told: Parameters<EventTarget['addEventListener']>) => {
        window.addEventListener(...told)
        this.#page.addEventListener(...told)
      },
      removeEventListener: (...told: Parameters<EventTarget['removeEventListener']>) => {
        window.removeEventListener(...told)
        this.#page.removeEventListener(...told)
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

/** Learns what machines set their timers for. */
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

function seatedSocket(Real: Socket, seat: Seat): Socket {
  return class extends Real {
    constructor(...made: ConstructorParameters<Socket>) {
      super(...made)
      seat.sockets.add(this)
      // Before all that the app listens with.
      for (const type of ['open', 'message', 'close']) this.addEventListener(type, event => this.#hear(event))
      seat.meddler?.born(this)
    }

    override send(data: Parameters<WebSocket['send']>[0]): void {
      const send = (what: typeof data) => super.send(what)
      if (seat.meddler) seat.meddler.sends(data, send)
      else send(data)
    }

    #hear(event: Event): void {
      if (event.type === 'close') seat.sockets.delete(this)
      if (seat.meddler && !seat.meddler.hears(this, event)) event.stopImmediatePropagation()
    }
  }
}
