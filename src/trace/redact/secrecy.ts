// Decides what an object's members inherit from names: from their own, from those above them, and from those that are
// members of the same object, such as `{ field: 'password', value }`.
import { isArray, lookup } from '../codec/values.ts'
import { isValueName, mayQuote, secretInSteps, type SecretName } from './secret-names.ts'
import type { SecretKeys } from './secrets.ts'

/**
 * How a value is related to the name of a secret. `value`: it has that name. `below`: it is part of such a value.
 * `field`, `event`: it is next to the name of a field or event, so those of its members are meant that are called values.
 */
export interface Secrecy {
  readonly kind: SecretName
  readonly place: 'value' | 'below' | 'field' | 'event' | 'nameless'
}

const KINDS = ['always', 'opaque', 'code'] as const
const PLACES = ['value', 'below', 'field', 'event'] as const

/** One object for each, so that results can be remembered by them. */
const SECRECIES = new Map<string, Secrecy>(
  KINDS.flatMap(kind => PLACES.map(place => [`${place} ${kind}`, { kind, place }] as const)),
)

/** For values whose members have the names of states and actors: no name counts. */
export const NAMELESS: Secrecy = { kind: 'code', place: 'nameless' }

/** Everything that redaction inherits from a name of this kind. */
export function secrecy(kind: SecretName | undefined, place: Secrecy['place']): Secrecy | undefined {
  return kind && SECRECIES.get(`${place} ${kind}`)
}

/** Whether a value is a secret by a name, or a part of one. */
export const isWithin = (inherited: Secrecy | undefined): inherited is Secrecy =>
  inherited?.place === 'value' || inherited?.place === 'below'

/** Whether a value is hidden whatever it looks like. */
export const isHiddenWhole = (inherited: Secrecy | undefined): boolean =>
  isWithin(inherited) && inherited.kind === 'always'

/** Members that name a field, without separators and in lowercase. */
const FIELD_NAMES = new Set(
  (
    'name field path property prop attribute attr inputname fieldname fieldpath datapath instancepath column param parameter ' +
    'header variable propertyname attributename columnname paramname parametername headername variablename formcontrolname ' +
    'controlname keyname key id fieldid inputid for htmlfor autocomplete inputtype setting identifier testid datatestid'
  ).split(' '),
)
/** Members whose texts people read: these may speak of a secret without being next to one. */
const LABELS = new Set('label placeholder arialabel title caption'.split(' '))
/** Objects that may contain the name of the field. */
const FIELD_OBJECTS = new Set(
  'field input control target currenttarget srcelement element ref column attribute props attributes'.split(
    ' ',
  ),
)
const CLEARING = new Set('name field path fieldname inputname property'.split(' '))

const plain = (key: string) => key.replaceAll(/[_-]/g, '').toLowerCase()
const own = (object: object, key: string): unknown =>
  lookup(() => Object.getOwnPropertyDescriptor(object, key)?.value as unknown)

/** More members than any description of a field has. */
const MOST_MEMBERS = 60

/** Finds what members inherit. */
export class Names {
  readonly #keys: SecretKeys

  constructor(keys: SecretKeys) {
    this.#keys = keys
  }

  /** What a member inherits from its own name, from its owner, and from what the owner is about. */
  ofMember(key: string, inherited: Secrecy | undefined, about: Secrecy | undefined): Secrecy | undefined {
    if (inherited === NAMELESS) return inherited
    if (this.#keys.isAllowed(key)) return undefined
    if (isHiddenWhole(inherited)) return secrecy('always', 'below')
    const kind = this.#keys.kindOf(key)
    if (kind && !(kind !== 'always' && about?.kind === 'always' && isValueName(key)))
      return secrecy(kind, 'value')
    if (isWithin(inherited) && isValueName(key)) return secrecy(inherited.kind, 'value')
    if (!about) return undefined
    const isMeant = isValueName(key) || (about.place === 'field' && mayQuote(key))
    return isMeant ? secrecy(about.kind, 'value') : about
  }

  /** What the items of a list or set inherit. */
  ofItem(inherited: Secrecy | undefined): Secrecy | undefined {
    return isHiddenWhole(inherited) ? secrecy('always', 'below') : inherited
  }

  /** What an object is about, if it names a field or an event; otherwise what its owner is about. */
  about(object: object, keys: readonly string[], inherited: Secrecy | undefined): Secrecy | undefined {
    const above = isWithin(inherited) ? undefined : inherited
    if (inherited === NAMELESS || keys.length > MOST_MEMBERS) return above
    let isOther = false
    for (const key of keys) {
      const name = plain(key)
      const isField = FIELD_NAMES.has(name)
      if (isField || FIELD_OBJECTS.has(name)) {
        const member = own(object, key)
        const kind = isField ? this.ofName(member) : undefined
        const found = kind ?? (FIELD_OBJECTS.has(name) ? this.#nameWithin(member) : undefined)
        if (found) return secrecy(found, 'field')
        isOther ||= CLEARING.has(name) && typeof member === 'string'
      } else if (LABELS.has(name) && keys.some(isValueName)) {
        const label = own(object, key)
        const kind = typeof label === 'string' ? this.#keys.kindOf(label) : undefined
        if (kind) return secrecy(kind, 'field')
      }
    }
    const type = own(object, 'type')
    const kind = typeof type === 'string' ? this.#keys.kindOf(type, 'type') : undefined
    return secrecy(kind, 'event') ?? (isOther ? undefined : above)
  }

  /** The kind of secret that the name of a field indicates, or a path as a text or a list. */
  ofName(name: unknown): SecretName | undefined {
    if (typeof name === 'string') return this.#keys.kindOf(name, 'path')
    if (!isArray(name)) return undefined
    const items = lookup(() => (name.length > MOST_MEMBERS ? [] : [...name])) ?? []
    if (items.length === 0) return undefined
    const steps = items.filter(step => typeof step === 'string')
    return steps.some(step => this.#keys.isAllowed(step))
      ? undefined
      : (secretInSteps(steps) ?? this.#keys.kindOf(steps.at(-1) ?? ''))
  }

  /** Whether a parameter of a URL or form is a secret. */
  isQuerySecret(name: string, value: string): boolean {
    return this.#keys.isSecret(name, value, 'query')
  }

  #nameWithin(member: unknown): SecretName | undefined {
    if (typeof member !== 'object' || member === null) return undefined
    for (const key of ['name', 'id', 'path', 'type', 'autocomplete', 'autoComplete'])
      if (typeof own(member, key) === 'string') {
        const kind = this.ofName(own(member, key))
        if (kind) return kind
      }
    return undefined
  }
}
