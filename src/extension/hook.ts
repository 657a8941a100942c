// Runs in an inspected page before its own scripts: reports the actors of XState 5 in Stately's protocol.

/** The parts of XState's objects that are read. */
interface Inspected {
  readonly id?: string
  readonly sessionId?: string
  readonly logic?: { readonly config?: unknown }
  readonly _parent?: Inspected
  readonly system?: { inspect?(observer: { next(event: Reported): void }): unknown }
  getSnapshot?(): unknown
}

interface Reported {
  readonly type: string
  readonly rootId?: string
  readonly actorRef: Inspected
  readonly sourceRef?: Inspected
  readonly event?: unknown
  readonly snapshot?: unknown
}

/** What the panel finds in the page. */
interface Hook {
  /** Returns messages since the last call, as a JSON list of texts, and how many were dropped before. */
  readonly take: () => string
}

const NAME = '__CHARTROOM_HOOK__'

/** Messages to keep for a panel that does not read them. */
const KEPT = 20_000
const MOST_AT_ONCE = 1_000
const DEPTH = 10
const ITEMS = 1_000
const CHARACTERS = 20_000

/** A message; an actor's is written after its first snapshot is made. */
interface Slot {
  text: string | undefined
}

function install(): void {
  if (NAME in globalThis) return
  const slots: Slot[] = []
  let dropped = 0
  const add = (): Slot => {
    const slot: Slot = { text: undefined }
    slots.push(slot)
    if (slots.length > KEPT) dropped += slots.splice(0, KEPT / 10).length
    return slot
  }
  const next = (event: Reported) => {
    const slot = add()
    const write = () => {
      slot.text = JSON.stringify(messageOf(event))
    }
    if (event.type === '@xstate.actor') queueMicrotask(write)
    else write()
  }
  // XState has no list of its actors. Its constructor assigns this property twice: nothing, and then the scope of
  // an actor that has its system and is not yet announced.
  Object.defineProperty(Object.prototype, '_actorScope', {
    configurable: true,
    get: () => undefined,
    set(this: Inspected, value: unknown) {
      if (value === undefined) return
      Object.defineProperty(this, '_actorScope', {
        value,
        writable: true,
        configurable: true,
        enumerable: true,
      })
      if (this._parent === undefined) this.system?.inspect?.({ next })
    },
  })
  const hook: Hook = {
    take() {
      const open = slots.findIndex(({ text }) => text === undefined)
      const ready = slots.splice(0, Math.min(open < 0 ? slots.length : open, MOST_AT_ONCE))
      const taken = JSON.stringify({ messages: ready.map(({ text }) => text), dropped })
      dropped = 0
      return taken
    },
  }
  Object.defineProperty(globalThis, NAME, { value: hook })
}

function messageOf({ type, rootId, actorRef, sourceRef, event, snapshot }: Reported): object {
  const config = actorRef.logic?.config
  const isMachine = typeof config === 'object' && config !== null
  const base = {
    type,
    sessionId: actorRef.sessionId,
    rootId,
    id: null,
    _version: '0.7.2',
    createdAt: String(Date.now()),
  }
  if (type === '@xstate.event') return { ...base, event: plain(event), sourceId: sourceRef?.sessionId }
  if (type === '@xstate.snapshot') return { ...base, event: plain(event), snapshot: plain(snapshot) }
  const named = isMachine && 'id' in config ? config.id : undefined
  const name = actorRef.id === actorRef.sessionId ? (named ?? actorRef.id) : actorRef.id
  return {
    ...base,
    name,
    parentId: actorRef._parent?.sessionId,
    definition: JSON.stringify(isMachine ? plain(config, 60) : { id: name }),
    snapshot: plain(actorRef.getSnapshot?.()),
  }
}

const isWritable = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function'

/** A copy for JSON, without cycles, functions and what is too deep or too long. */
function plain(value: unknown, depth = DEPTH, above: readonly object[] = []): unknown {
  if (typeof value === 'function') return { type: value.name }
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  if (typeof value === 'string') return value.slice(0, CHARACTERS)
  if (typeof value !== 'object' || value === null) return value
  if (above.includes(value)) return '[circular]'
  if (depth === 0) return Array.isArray(value) ? '[array]' : '[object]'
  if (value instanceof Node || value instanceof Window) return Object.prototype.toString.call(value)
  const inside = [...above, value]
  try {
    if (isWritable(value)) return plain(value.toJSON(), depth - 1, inside)
    if (value instanceof Error) return { name: value.name, message: value.message }
    if (Array.isArray(value)) return value.slice(0, ITEMS).map(item => plain(item, depth - 1, inside))
    const entries = Object.entries(value).slice(0, ITEMS)
    return Object.fromEntries(entries.map(([key, item]) => [key, plain(item, depth - 1, inside)]))
  } catch {
    // A getter of the app threw.
    return '[unreadable]'
  }
}

install()
