// Frames: which stretch of the app's own code is running in the midst of a step, and what is none of it.
import { swapEnvironment } from '../ambient-env.ts'
import type { Environment } from '../system-parts.ts'
import type { Frame } from './tap-parts.ts'

/** Where in the app's code a system is. */
export class CodeFrames {
  /** The app's code that is running now, in the midst of a step. */
  current: Frame | undefined = undefined
  readonly #env: Environment
  readonly #threw: (frame: Frame, error: unknown) => void

  /** `env` is what the system's code reads; `threw` hears of what a replay has to throw again. */
  constructor(env: Environment, threw: (frame: Frame, error: unknown) => void) {
    this.#env = env
    this.#threw = threw
  }

  /** Runs a stretch of the app's code, which reads the world. */
  inside<T>(frame: Frame, code: () => T): T {
    const outer = this.current
    this.current = frame
    const before = swapEnvironment(undefined)
    try {
      return code()
    } catch (error) {
      // XState catches what listeners throw, and nothing comes of it.
      if (frame.phase !== 'snapshot' && frame.phase !== 'emit') this.#threw(frame, error)
      throw error
    } finally {
      swapEnvironment(before)
      this.current = outer
    }
  }

  /** Runs code that runs in a replay as well: it reads what is taped. */
  rerun<T>(code: () => T): T {
    const before = swapEnvironment(this.#env)
    try {
      return code()
    } finally {
      swapEnvironment(before)
    }
  }

  /** Runs the system's code that the app's sets off. */
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
