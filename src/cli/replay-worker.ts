// The process of one worker of `chartroom replay --workers`: loads the machines, then replays a file per message.
import { reasonOf, UsageError } from './command.ts'
import { resultOf, unusable } from './file-report.ts'
import { replayExamination } from './replay-finding.ts'
import { examine } from './trace-files.ts'
import type { FromWorker, WorkerSettings } from './replay-workers.ts'

type ToWorker = { readonly settings: WorkerSettings } | { readonly file: string }

let work: ((file: string) => Promise<void>) | undefined

process.on('message', (message: ToWorker) => void take(message))
// The command was ended.
process.on('disconnect', () => process.exit())

async function take(message: ToWorker): Promise<void> {
  if ('file' in message) return work?.(message.file)
  const { settings } = message
  try {
    const examination = await replayExamination(settings)
    work = async file => {
      const start = performance.now()
      const result = await examine(file, examination, settings.wantsJson).catch((error: unknown) => {
        const seconds = (performance.now() - start) / 1000
        return resultOf(file, seconds, unusable(`the replay failed: ${reasonOf(error)}`), settings.wantsJson)
      })
      send({ result })
    }
    send({ isReady: true })
  } catch (error) {
    send({ problem: reasonOf(error), isUsage: error instanceof UsageError })
  }
}

function send(message: FromWorker): void {
  process.send?.(message)
}
