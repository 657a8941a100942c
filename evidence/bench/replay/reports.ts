// A folder of reports as users send them: recordings without steps, of 50 kB each.
import { link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordedClient } from '../../../tests/harness/recorded-run.ts'
import { storm } from '../../../tests/harness/storm.ts'

const BYTES = 50_000
/** Different recordings; the others are further names of these. */
const DIFFERENT = 10

/** Calls `run` with the paths of this many reports, and deletes them afterwards. */
export async function withReports<T>(
  count: number,
  run: (files: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'chartroom-reports-'))
  try {
    await mkdir(join(folder, 'r'))
    const files: string[] = []
    for (let n = 0; n < count; n++) {
      const file = join(folder, 'r', `${String(n).padStart(5, '0')}.gz`)
      const first = files[n % DIFFERENT]
      if (n >= DIFFERENT && first !== undefined) await link(first, file)
      else await writeFile(file, await report(n + 1))
      files.push(file)
    }
    return await run(files)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Uses the client in a storm until the recording has the size. */
async function report(seed: number): Promise<Uint8Array> {
  const { behavior, command, idleTime } = storm(seed)
  const { clock, recorder, send } = recordedClient(behavior, seed, undefined, false)
  let file = await recorder.file()
  while (file.length < BYTES) {
    for (let n = 0; n < 20; n++) {
      send(command())
      clock.advance(idleTime())
    }
    file = await recorder.file()
  }
  recorder.stop()
  return recorder.file()
}
