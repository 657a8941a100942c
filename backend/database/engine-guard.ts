// Notices when PostgreSQL can't go on, and stops every call into it from then on.
import type { PGlite } from '@electric-sql/pglite'
import { DISK_FULL, isDiskFull } from '../unavailable.ts'

/** PostgreSQL ended while it ran a statement, whose transaction is rolled back. The engine must be reopened. */
export class EngineFailure extends Error {
  override name = 'EngineFailure'
  readonly severity = 'ERROR'
  /** A SQLSTATE. */
  readonly code: string
  readonly hint: string | undefined

  constructor({ code, message, hint }: { code: string; message: string; hint?: string }, cause: unknown) {
    super(message, { cause })
    this.code = code
    this.hint = hint
  }
}

const STACK_DEPTH = {
  code: '54001',
  message: 'stack depth limit exceeded',
  hint: 'Check the functions and triggers of the statement for endless recursion; nested values may be too deep.',
}
const CRASHED = { code: '57P02', message: 'The database failed and is being reopened.' }

/** What PostgreSQL's `siglongjmp` to its error handler looks like from outside. */
const ERROR_JUMP = 100

/** Functions of the WASM module that run PostgreSQL. */
interface EngineCalls {
  _PostgresMainLoopOnce(): void
  _PostgresMainLongJmp(): void
  _PostgresSendReadyForQueryIfNecessary(): void
  _pgl_pq_flush(): void
}

export interface EngineGuard {
  readonly failure: EngineFailure | undefined
}

/**
 * PGlite swallows what escapes PostgreSQL's main loop (V8's stack overflow, a WASM trap, an exit), and would call an
 * engine whose error handling is broken again and again. Here the first such error ends the engine.
 * @param takeDiskError - the error of a full disk, if there was one since the last call
 */
export function guardEngine(driver: PGlite, takeDiskError: () => unknown = () => undefined): EngineGuard {
  const calls = driver.Module as unknown as EngineCalls
  let failure: EngineFailure | undefined
  const fail = (cause: unknown) => (failure = describe(cause, takeDiskError()))
  const attempt = (call: () => void) => {
    try {
      call()
    } catch (error) {
      throw fail(error)
    }
  }
  const guard = (name: keyof EngineCalls, guarded: (call: () => void) => void) => {
    let call = calls[name]
    // Emscripten replaces each of these by the real function when it is first called.
    Object.defineProperty(calls, name, {
      get: () => () => guarded(call),
      set(real: () => void) {
        call = real
      },
    })
  }
  guard('_PostgresMainLoopOnce', call => {
    takeDiskError()
    try {
      if (!failure) return call()
    } catch (error) {
      if (isErrorJump(error)) throw error
      fail(error)
    }
    // PGlite answers this with `_PostgresMainLongJmp`, the only way out of its loop.
    throw new ErrorJump()
  })
  guard('_PostgresMainLongJmp', call => {
    if (failure) throw failure
    attempt(call)
  })
  for (const name of ['_PostgresSendReadyForQueryIfNecessary', '_pgl_pq_flush'] as const) {
    guard(name, call => {
      if (!failure) attempt(call)
    })
  }
  return {
    get failure() {
      return failure
    },
  }
}

/** What Emscripten throws where PostgreSQL jumps to its handler of errors. */
class ErrorJump extends Error {
  readonly status = ERROR_JUMP
}

function isErrorJump(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === ERROR_JUMP
}

function describe(cause: unknown, diskError: unknown): EngineFailure {
  if (cause instanceof RangeError) return new EngineFailure(STACK_DEPTH, cause)
  if (isDiskFull(diskError)) return new EngineFailure({ code: '53100', message: DISK_FULL }, diskError)
  return new EngineFailure(CRASHED, cause)
}
