// Runs a task with machines of the code on disk in a new process: it loads the current code, what it prints does not
// reach the protocol, and ending the process cancels the task.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TaskName, Tasks } from './code-tasks.ts'

export type ToCode = {
  readonly [Name in TaskName]: { readonly task: Name; readonly args: Tasks[Name]['args'] }
}[TaskName]

export type FromCode =
  | { readonly progress: readonly [done: number, total: number | undefined] }
  | { readonly result: unknown }
  | { readonly problem: string }

const PROGRAM = fileURLToPath(new URL('./code-worker.ts', import.meta.url))

/** More at once would take the machine from the developer. */
const MOST_RUNNING = 2

let running = 0
const waiting: (() => void)[] = []

/**
 * Runs a task; the result, or its error.
 * @throws the signal's reason if aborted, Error with the reason if it fails or its process ends
 */
export async function runCode<Name extends TaskName>(
  task: Name,
  args: Tasks[Name]['args'],
  {
    signal,
    onProgress,
  }: { readonly signal: AbortSignal; readonly onProgress: (done: number, total?: number) => void },
): Promise<Tasks[Name]['result']> {
  while (running >= MOST_RUNNING) await new Promise<void>(resolve => void waiting.push(resolve))
  signal.throwIfAborted()
  running += 1
  try {
    return (await inProcess({ task, args } as ToCode, signal, onProgress)) as Tasks[Name]['result']
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}

function inProcess(
  message: ToCode,
  signal: AbortSignal,
  onProgress: (done: number, total?: number) => void,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  // Standard output belongs to the protocol.
  const child = fork(PROGRAM, { stdio: ['ignore', 2, 2, 'ipc'], serialization: 'advanced' })
  const cancel = () => {
    child.kill('SIGKILL')
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', cancel, { once: true })
  child.on('message', raw => {
    const answer = raw as FromCode
    if ('progress' in answer) return onProgress(...answer.progress)
    if ('problem' in answer) reject(new Error(answer.problem))
    else resolve(answer.result)
  })
  child.on('error', reject)
  child.on('exit', (code, by) =>
    reject(
      new Error(
        `The process that runs the machines ${by ? `was ended by ${by}` : `exited with code ${code}`}.`,
      ),
    ),
  )
  child.send(message, error => error && reject(error))
  return promise.finally(() => {
    signal.removeEventListener('abort', cancel)
    end(child)
  })
}

/** Machines may leave timers and connections open. */
function end(child: ChildProcess): void {
  child.removeAllListeners('exit')
  child.on('error', () => undefined)
  child.kill('SIGKILL')
}
