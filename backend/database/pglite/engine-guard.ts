// Detects when PostgreSQL can't continue, and blocks all further calls into it.
import type { PGlite } from '@electric-sql/pglite'
import { DISK_FULL, isDiskFull } from '../../shared/unavailable.ts'
import { EngineFailure } from '../engine.ts'

const STACK_DEPTH = {
  code: '54001',
  message: 'stack depth limit exceeded',
  hint: 'Check the functions and triggers of the statement for endless recursion; nested values may be too deep.',
}
const CRASHED = { code: '57P02', message: 'The database failed and is being reopened.' }

/** The exit status of PostgreSQL's `siglongjmp` to its error handler. */
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
  /** Runs all calls that run statements through a function, until it is set back. */
  through(run: RunCall | undefined): void
}

export type RunCall = (call: () => void) => void

/**
 * PGlite swallows errors that escape PostgreSQL's main loop (V8's stack overflow, a WASM trap, an exit), and
 * would keep calling an engine whose error handling is broken. This guard ends the engine at the first such
 * error.
 * @param takeDiskError returns the error of a full disk, if one occurred since the last call
 */
export function guardEngine(driver: PGlite, takeDiskError: () => unknown = () => undefined): EngineGuard {
  const calls = driver.Module as unknown as EngineCalls
  let failure: EngineFailure | undefined
  let runCall: RunCall = call => call()
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
    // Emscripten replaces each of these with the real function on the first call.
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
      if (!failure) return runCall(call)
    } catch (error) {
      if (isErrorJump(error)) throw error
      fail(error)
    }
    // PGlite handles this with `_PostgresMainLongJmp`, the only exit from its loop.
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
    through(run = call => call()) {
      runCall = run
    },
  }
}

/** Emscripten's error for PostgreSQL's jump to its error handler. */
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
