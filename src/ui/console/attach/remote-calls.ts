// Calls of an app in another page: each waits for its answer, while the app is there.
import { remoteAnswerMachine } from '../../../machines/console/remote-answer.ts'
import { startMachine } from '../../../services/runtime/index.ts'

export class RemoteCalls<Answer> {
  readonly #silence: string
  readonly #waiting = new Map<
    number,
    { readonly answer: (answer: Answer) => void; readonly lose: () => void }
  >()
  #count = 0

  /** @param silence the message of the error of a call without an answer */
  constructor(silence: string) {
    this.#silence = silence
  }

  /** @param limit how long to wait, in milliseconds; without a limit if undefined */
  start(limit: number | undefined, send: (ask: number) => void) {
    const ask = this.#count++
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const wait = startMachine(remoteAnswerMachine, {}, { limit }, snapshot => {
      // Answers may be large: only the caller keeps one.
      this.#waiting.delete(ask)
      if (!snapshot.matches('arrived')) reject(new Error(this.#silence))
    })
    this.#waiting.set(ask, {
      answer(answer) {
        resolve(answer)
        wait.send({ type: 'answer.arrived' })
      },
      lose: () => wait.send({ type: 'answer.lost' }),
    })
    send(ask)
    return { ask, answer: promise }
  }

  /** Ignores what no call waits for. */
  answer(ask: number, answer: Answer): void {
    this.#waiting.get(ask)?.answer(answer)
  }

  /** Ends all calls: the app is gone. */
  lose(): void {
    for (const { lose } of this.#waiting.values()) lose()
  }
}
