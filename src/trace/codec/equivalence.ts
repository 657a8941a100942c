// Remembers which objects were found, or are assumed, to be equal while two values are compared.

/**
 * Sets of equal objects. A comparison that assumes two objects to be equal while it compares their members ends even
 * if they contain themselves, and takes as many steps as there are objects, however often each occurs.
 */
export class Equivalence {
  readonly #parents = new Map<object, object>()
  readonly #known: Equivalence | undefined

  /** @param known what is known to be equal; assumptions are added to it by `commit` */
  constructor(known?: Equivalence) {
    this.#known = known
  }

  /** Makes two objects equal; returns false if they are already. */
  merge(a: object, b: object): boolean {
    const [one, other] = [this.#setOf(a), this.#setOf(b)]
    if (one === other) return false
    this.#parents.set(one, other)
    return true
  }

  has(a: object, b: object): boolean {
    return this.#setOf(a) === this.#setOf(b)
  }

  /** Call it if the comparison found no difference, which proves its assumptions. */
  commit(): void {
    if (this.#known) for (const [object, parent] of this.#parents) this.#known.merge(object, parent)
  }

  #setOf(object: object): object {
    let root = this.#known ? this.#known.#setOf(object) : object
    for (let next = this.#parents.get(root); next; next = this.#parents.get(root)) root = next
    for (let at = object; at !== root;) {
      const next = this.#parents.get(at) ?? root
      if (!this.#known) this.#parents.set(at, root)
      at = next
    }
    return root
  }
}
