// The process of one task of `chartroom mcp` with machines of the code on disk.
import { reasonOf } from '../command.ts'
import type { FromCode, ToCode } from './code-process.ts'
import { TASKS } from './code-tasks.ts'

type OnProgress = (done: number, total?: number) => void

/** Progress is reported at most this often, in milliseconds. */
const PROGRESS_INTERVAL = 100

process.on('message', (message: ToCode) => void perform(message))
// The server was ended.
process.on('disconnect', () => process.exit())

async function perform({ task, args }: ToCode): Promise<void> {
  let reported = 0
  const onProgress = (done: number, total?: number) => {
    const now = performance.now()
    if (now - reported < PROGRESS_INTERVAL) return
    reported = now
    send({ progress: [done, total] })
  }
  const run = TASKS[task] as (taskArgs: typeof args, onProgress: OnProgress) => Promise<unknown>
  try {
    send({ result: await run(args, onProgress) })
  } catch (error) {
    send({ problem: reasonOf(error) })
  }
}

function send(message: FromCode): void {
  process.send?.(message)
}
