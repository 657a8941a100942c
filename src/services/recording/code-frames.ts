// Tracks which call of the app's own code is running within a step.
import { type Environment, swapEnvironment } from '../runtime/index.ts'
import type { Frame } from './tap-parts.ts'

/** The position of a system in the app's code. */
export class CodeFrames {
  /** The app code that is running within a step. */
  current: Frame | undefined = undefined
  readonly #env: Environment
  readonly #threw: (frame: Frame, error: unknown) => void

  /** `env` is read by the system's code. `threw` is called with errors that a replay must throw again. */
  constructor(env: Environment, threw: (frame: Frame, error: unknown) => void) {
    this.#env = env
    this.#threw = threw
  }

  /** Runs a call of the app's code, which reads the real environment. */
  inside<T>(frame: Frame, code: () => T): T {
    const outer = this.current
    this.current = frame
    const before = swapEnvironment(undefined)
    try {
      return code()
    } catch (error) {
      // XState catches errors of listeners; they have no effect.
      if (frame.phase !== 'snapshot' && frame.phase !== 'emit') this.#threw(frame, error)
      throw error
    } finally {
      swapEnvironment(before)
      this.current = outer
    }
  }

  /** Runs code that also runs in a replay and therefore reads the taped environment. */
  rerun<T>(code: () => T): T {
    const before = swapEnvironment(this.#env)
    try {
      return code()
    } finally {
      swapEnvironment(before)
    }
  }

  /** Runs system code that was triggered by app code. */
  outside(run: () => void): void {
    const frame = this.current
    if (!frame) return run()
    this.current = undefined
    const before = swapEnvironment(this.#env)
    try {
      run()
    } finally {
      swapEnvironment(before)
      this.current = frame
    }
  }
}
