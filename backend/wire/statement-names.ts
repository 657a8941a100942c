// Prepared statements of many clients in one session: maps each client's names to unique names.

const PARSE = 0x50
const BIND = 0x42
const DESCRIBE = 0x44
const CLOSE = 0x43
const STATEMENT = 0x53

/**
 * The names of one client. The unnamed statement gets a new name each time, so that no other client replaces
 * it.
 */
export class StatementNames {
  readonly #prefix: string
  readonly #names = new Map<string, string>()
  #count = 0
  #dropped: string[] = []

  constructor(client: number) {
    this.#prefix = `chartroom_${client}_`
  }

  /** The message with the client's statement name replaced. */
  translate(message: Uint8Array): Uint8Array {
    switch (message[0]) {
      case PARSE:
        return this.#rename(message, 5, name => (name === '' ? this.#fresh() : this.#preparedName(name)))
      case BIND:
        return this.#rename(message, afterText(message, 5), name => this.#preparedName(name))
      case DESCRIBE:
        return message[5] === STATEMENT ? this.#rename(message, 6, name => this.#preparedName(name)) : message
      case CLOSE:
        return message[5] === STATEMENT ? this.#rename(message, 6, name => this.#forget(name)) : message
      default:
        return message
    }
  }

  /** Names that are no longer reachable; `all` after the client has disconnected. */
  takeDropped(all: boolean): string[] {
    if (all) {
      this.#dropped.push(...this.#names.values())
      this.#names.clear()
    }
    const dropped = this.#dropped
    this.#dropped = []
    return dropped
  }

  #preparedName(name: string): string {
    const prepared = this.#names.get(name)
    if (prepared !== undefined) return prepared
    const newName = `${this.#prefix}${(this.#count += 1)}`
    this.#names.set(name, newName)
    return newName
  }

  #fresh(): string {
    const former = this.#names.get('')
    if (former !== undefined) this.#dropped.push(former)
    this.#names.delete('')
    return this.#preparedName('')
  }

  #forget(name: string): string {
    const preparedName = this.#preparedName(name)
    this.#names.delete(name)
    return preparedName
  }

  #rename(message: Uint8Array, at: number, rename: (name: string) => string): Uint8Array {
    const end = message.indexOf(0, at)
    // Not a valid string: PostgreSQL reports the error.
    if (at > message.length || end < 0) return message
    const name = Buffer.from(rename(Buffer.from(message.subarray(at, end)).toString('latin1')), 'latin1')
    const renamed = Buffer.concat([message.subarray(0, at), name, message.subarray(end)])
    renamed.writeInt32BE(renamed.length - 1, 1)
    return renamed
  }
}

function afterText(message: Uint8Array, at: number): number {
  const end = message.indexOf(0, at)
  return end < 0 ? message.length + 1 : end + 1
}
