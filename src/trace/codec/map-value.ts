// Replaces parts of a value of any shape: each object once, without recursion; what is shared, or contains
// itself, stays so, and what contains no replaced part stays the same object.

/** How an object is copied if one of its members is replaced. `C` is what a member inherits from its owner. */
export interface Copying<C> {
  readonly members: readonly unknown[]
  /** What each member inherits, by its position. Contexts are compared by identity, so use few. */
  readonly contexts: readonly C[]
  /** Creates the copy without members, because one of them may contain it. */
  readonly create: () => object
  /** Adds the members to the copy, some of which may not be complete yet. */
  readonly fill: (copy: object, members: readonly unknown[]) => void
  /** Copies the object even if no member is replaced, e.g. because one of its keys is. */
  readonly isChanged?: boolean
}

/**
 * Returns what a value becomes: a `Replaced` value as a whole, or how it is copied. It is called once for each
 * object and context, owners before their members, in the order of the members.
 */
export type MapValue<C> = (value: unknown, context: C, depth: number) => Replaced | Copying<C>

/** A value that is used instead, or the same. */
export class Replaced {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

/** An object that is copied if one of its members changes. */
class Node<C> {
  readonly original: object
  readonly copying: Copying<C>
  readonly depth: number
  /** What its members become. */
  readonly results: (Node<C> | Replaced)[] = []
  readonly owners: Node<C>[] = []
  isChanged: boolean
  copy: object | undefined

  constructor(original: object, copying: Copying<C>, depth: number) {
    this.original = original
    this.copying = copying
    this.depth = depth
    this.isChanged = copying.isChanged === true
  }
}

/** Returns the value with its replaced parts, or the same value if nothing in it is replaced. */
export function mapValue<C>(root: unknown, context: C, map: MapValue<C>): unknown {
  const nodes: Node<C>[] = []
  const path: Node<C>[] = []
  const known = new Map<object, Map<C, Node<C> | Replaced>>()
  const resultOf = (value: unknown, inherited: C, depth: number): Node<C> | Replaced => {
    const isObject = typeof value === 'object' && value !== null
    const found = isObject ? known.get(value)?.get(inherited) : undefined
    if (found) return found
    const mapped = map(value, inherited, depth)
    if (!isObject) {
      if (mapped instanceof Replaced) return mapped
      throw new TypeError('Only objects can be copied.')
    }
    const result = mapped instanceof Replaced ? mapped : new Node(value, mapped, depth)
    known.set(value, (known.get(value) ?? new Map<C, Node<C> | Replaced>()).set(inherited, result))
    if (result instanceof Replaced) return result
    nodes.push(result)
    path.push(result)
    return result
  }
  const first = resultOf(root, context, 0)
  for (let node = path.at(-1); node; node = path.at(-1)) {
    const { members, contexts } = node.copying
    const at = node.results.length
    if (at === members.length) {
      path.pop()
      continue
    }
    const result = resultOf(members[at], contexts[at] as C, node.depth + 1)
    node.results.push(result)
    if (result instanceof Node) result.owners.push(node)
    else node.isChanged ||= !Object.is(result.value, members[at])
  }
  spreadChanges(nodes)
  for (const node of nodes) if (node.isChanged) node.copy = node.copying.create()
  for (const { copy, copying, results } of nodes) if (copy) copying.fill(copy, results.map(finalOf))
  return finalOf(first)
}

/** Whatever contains a changed object changes, too. */
function spreadChanges<C>(nodes: readonly Node<C>[]): void {
  const changed = nodes.filter(({ isChanged }) => isChanged)
  for (let node = changed.pop(); node; node = changed.pop()) {
    for (const owner of node.owners) {
      if (owner.isChanged) continue
      owner.isChanged = true
      changed.push(owner)
    }
  }
}

const finalOf = <C>(result: Node<C> | Replaced): unknown =>
  result instanceof Replaced ? result.value : (result.copy ?? result.original)
