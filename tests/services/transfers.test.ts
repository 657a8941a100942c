// What the workbench runs beside its client leaves a recording that replays exactly, as the client's own does.
import { expect, test, vi } from 'vitest'
import type { AttachedRecording } from '../../src/attach.ts'
import type { ChartroomClient } from '../../src/index.ts'
import { readTrace, systems, verify } from '../../src/replay.ts'
import { createSurvey, type Survey } from '../../src/survey.ts'
import { createRowExport, createRowImport, type RowExport, type RowImport } from '../../src/transfers.ts'

type Fetch = ChartroomClient['fetch']

/** Answers one after the other. */
function answers(...list: readonly (() => Response)[]): Fetch {
  const left = [...list]
  return () => Promise.resolve((left.shift() ?? (() => new Response(null, { status: 500 })))())
}

const created = () => new Response(null, { status: 201 })
const refused = () =>
  Response.json({ code: '23502', message: 'null value in column "name"' }, { status: 400 })

/** What a replay says of its recording, once it is over. */
async function replayed(job: RowImport | RowExport) {
  await vi.waitFor(() => expect(job.state().phase).toBe('done'))
  return verified(job.attached.recording)
}

async function verified(recording: AttachedRecording) {
  const read = await readTrace(new Uint8Array(await (await recording.download()).arrayBuffer()))
  if (read.kind === 'unusable') throw new Error(read.message)
  const report = verify(read.trace, systems)
  return { system: read.trace.header.system, outcome: report.outcome }
}

test('an import', async () => {
  const job = createRowImport({
    fetch: answers(refused, refused, created),
    schema: 'public',
    table: 'vessels',
    columns: ['name'],
    rows: ['{}', '{"name":"Gull"}'],
    whole: false,
    onDuplicate: 'refuse',
    keys: [],
  })
  expect(await replayed(job)).toEqual({ system: 'chartroom/workbench/rowImport', outcome: 'exact' })
  expect([job.state().written, job.state().refused.map(({ row }) => row)]).toEqual([1, [0]])
})

test('an export', async () => {
  const taken: string[] = []
  const job = createRowExport({
    fetch: answers(
      () => Response.json([1, 2]),
      () => Response.json([]),
    ),
    page: from => ({ path: `/rest/v1/vessels?offset=${from}`, headers: {} }),
    take: text => {
      taken.push(text)
      return (JSON.parse(text) as readonly unknown[]).length
    },
    expected: 2,
  })
  expect(await replayed(job)).toEqual({ system: 'chartroom/workbench/rowExport', outcome: 'exact' })
  expect(taken).toEqual(['[1,2]', '[]'])
})

class SilentSocket extends EventTarget {
  close(): void {}
}

test('a look at a host', async () => {
  const survey: Survey = createSurvey(
    { url: 'http://host.test', key: 'k' },
    {
      fetch: () => new Promise(() => undefined),
      WebSocket: SilentSocket as never,
      deadline: 20,
    },
  )
  survey.start()
  await vi.waitFor(() => expect(survey.state().phase).toBe('late'))
  expect(await verified(survey.attached().recording)).toEqual({
    system: 'chartroom/workbench/survey',
    outcome: 'exact',
  })
  survey.stop()
})
