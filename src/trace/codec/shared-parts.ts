// Writes what occurs several times in a large value once: `{ "$": "shared", "parts": […], "value": … }`, in
// which `{ "$": "part", "at": n }` refers to the n-th part, also in later parts.
import { isList, type Json } from './json.ts'

/** Shorter texts are written as they are. */
const SHORT = 2 ** 23

/** Minimum length of a part; a reference takes about 20 characters. */
const MIN_PART = 40

const REFERENCE = 24

/** A reference to a node in the JSON of another. */
class Ref {
  readonly id: number
  constructor(id: number) {
    this.id = id
  }
}

/** JSON in which objects and lists are replaced by references. */
type Template =
  Ref | null | boolean | number | string | readonly Template[] | { readonly [key: string]: Template }

interface Node {
  readonly template: Template
  /** Length when written in full. */
  readonly size: number
  /** Number of places where it occurs in other nodes. */
  uses: number
}

/**
 * Returns the JSON unless its text would be longer than `short`, and half as long with parts. What is equal is one
 * part, whether it is one object or not, so that equal values have equal texts.
 */
export function withParts(json: Json): Json {
  return partsOf(json, SHORT, new Map())
}

/** The same for reports: only identical objects become parts, and texts may have this length. */
export function withSharedParts(json: Json, short: number): Json {
  return partsOf(json, short)
}

function partsOf(json: Json, short: number, equal?: Map<string, Ref>): Json {
  const { size: whole, distinct } = new Measure().of(json)
  // Finding parts takes much longer than measuring what they could save.
  if (whole <= short || distinct * 2 > whole) return json
  const nodes: Node[] = []
  const root = new Collector(nodes, equal).collect(json)
  if (!(root instanceof Ref) || (nodes[root.id]?.size ?? 0) <= short) return json
  const parts: Json[] = []
  const places: { readonly json: Json; readonly size: number }[] = []
  let partsSize = 0
  const placeOf = ({ id }: Ref) => places[id] ?? NOTHING
  for (const [id, { template, uses }] of nodes.entries()) {
    const written = write(template, ref => placeOf(ref).json)
    const size = sizeOf(template, ref => placeOf(ref).size)
    const isPart = uses > 1 && size >= MIN_PART && id !== root.id
    if (isPart) partsSize += size
    places.push(
      isPart
        ? { json: { $: 'part', at: parts.push(written) - 1 }, size: REFERENCE }
        : { json: written, size },
    )
  }
  const size = placeOf(root).size + partsSize
  return size * 2 > (nodes[root.id]?.size ?? 0) ? json : { $: 'shared', parts, value: placeOf(root).json }
}

const NOTHING = { json: null, size: 0 }

/** Number of characters of a long text that are hashed at its start and its end. */
const HASHED = 32

interface Measured {
  readonly hash: number
  readonly size: number
}

/** Measures a value: its size when written in full, and the size of what is different in it, at most. */
class Measure {
  readonly #known = new Map<object, Measured>()
  readonly #hashes = new Set<number>()
  #distinct = 0

  of(json: Json): { readonly size: number; readonly distinct: number } {
    if (typeof json !== 'object' || json === null) return { size: 0, distinct: 0 }
    const { size } = this.#measure(json)
    return { size, distinct: this.#distinct }
  }

  #measure(json: object): Measured {
    const known = this.#known.get(json)
    if (known) return known
    const list = isList(json as Json)
    let own = 2
    let inner = 0
    let high = list ? 1 : 2
    let low = high
    const add = (number: number) => {
      high = Math.imul(high ^ number, 0x01000193)
      low = Math.imul(low ^ (number + (high >>> 15)), 0x85ebca6b)
    }
    const addItem = (item: Json) => {
      if (typeof item === 'object' && item !== null) {
        const { hash, size } = this.#measure(item)
        inner += size
        add(Math.floor(hash / 2 ** 21))
        add(hash % 2 ** 21)
      } else {
        const text = typeof item === 'string' ? item : String(item)
        own += typeof item === 'string' ? text.length + 2 : text.length
        addText(text, add)
        add(typeof item === 'string' ? 3 : 4)
      }
    }
    if (list) {
      for (const item of json as readonly Json[]) addItem(item)
      own += (json as readonly Json[]).length
    } else {
      for (const key of Object.keys(json)) {
        own += key.length + 4
        addText(key, add)
        addItem((json as { readonly [key: string]: Json })[key] ?? null)
      }
    }
    const measured = { hash: (high >>> 0) * 2 ** 21 + (low >>> 11), size: own + inner }
    this.#known.set(json, measured)
    if (!this.#hashes.has(measured.hash)) {
      this.#hashes.add(measured.hash)
      this.#distinct += own
    }
    return measured
  }
}

/** Texts that differ only in their middle may have the same hash: then more seems equal than is. */
function addText(text: string, add: (number: number) => void): void {
  const { length } = text
  add(length)
  const isLong = length > 2 * HASHED
  for (let at = 0; at < (isLong ? HASHED : length); at++) add(text.charCodeAt(at))
  if (isLong) for (let at = length - HASHED; at < length; at++) add(text.charCodeAt(at))
}

/** Numbers what is different, the innermost first. */
class Collector {
  readonly #nodes: Node[]
  readonly #known = new Map<object, Ref>()
  /** By text; absent if only identical objects are one part. */
  readonly #equal: Map<string, Ref> | undefined

  constructor(nodes: Node[], equal: Map<string, Ref> | undefined) {
    this.#nodes = nodes
    this.#equal = equal
  }

  collect(json: Json): Template {
    if (typeof json !== 'object' || json === null) return json
    const known = this.#known.get(json)
    if (known) return known
    const template = this.#template(json)
    const text = this.#equal ? textOf(template) : ''
    const ref = this.#equal?.get(text) ?? this.#add(template)
    this.#equal?.set(text, ref)
    this.#known.set(json, ref)
    return ref
  }

  #add(template: Template): Ref {
    const size = sizeOf(template, ({ id }) => {
      const node = this.#nodes[id]
      if (node) node.uses += 1
      return node?.size ?? 0
    })
    return new Ref(this.#nodes.push({ template, size, uses: 0 }) - 1)
  }

  /** The list or fields inside a tag are part of it. */
  #template(json: object, levels = 0): Template {
    const inner = (item: Json) =>
      levels > 0 && typeof item === 'object' && item !== null
        ? this.#template(item, levels - 1)
        : this.collect(item)
    if (isList(json as Json)) return (json as readonly Json[]).map(inner)
    const tag: unknown = levels === 0 && Object.hasOwn(json, '$') ? Reflect.get(json, '$') : undefined
    const within = tag === undefined ? undefined : tag === 'map' ? 2 : 1
    return Object.fromEntries(
      Object.entries(json as { [key: string]: Json }).map(([key, item]) => [
        key,
        within !== undefined && key === 'value' && typeof item === 'object' && item !== null
          ? this.#template(item, within - 1)
          : inner(item),
      ]),
    )
  }
}

/** Templates with the same text are equal: a reference is no JSON. */
function textOf(template: Template): string {
  if (template instanceof Ref) return `#${template.id}`
  if (typeof template !== 'object' || template === null) return JSON.stringify(template)
  if (isTemplates(template)) return `[${template.map(textOf).join(',')}]`
  return `{${Object.entries(template)
    .map(([key, item]) => `${JSON.stringify(key)}:${textOf(item)}`)
    .join(',')}}`
}

function sizeOf(template: Template, sizeAt: (ref: Ref) => number): number {
  if (template instanceof Ref) return sizeAt(template)
  if (typeof template === 'string') return template.length + 2
  if (typeof template !== 'object' || template === null) return String(template).length
  let size = 2
  if (isTemplates(template)) for (const item of template) size += sizeOf(item, sizeAt) + 1
  else for (const [key, item] of Object.entries(template)) size += key.length + 4 + sizeOf(item, sizeAt)
  return size
}

function write(template: Template, jsonAt: (ref: Ref) => Json): Json {
  if (template instanceof Ref) return jsonAt(template)
  if (typeof template !== 'object' || template === null) return template
  if (isTemplates(template)) return template.map(item => write(item, jsonAt))
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, write(item, jsonAt)]))
}

function isTemplates(template: object): template is readonly Template[] {
  return Array.isArray(template)
}
