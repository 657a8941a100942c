// Exports a file as a test, as steps, and in formats of other tools.
import { readSteps, readWhole, type JobPlace } from './job-place.ts'
import type { Answer, Ask } from './jobs.ts'
import { partOf, stimuliOf, wholeCalls } from './part.ts'
import { stepsAsCode } from './steps-as-code.ts'
import { describeSteps } from './described-steps.ts'

export async function testFile(ask: Ask<'test'>, place: JobPlace): Promise<Answer<'test'>> {
  const { stageTimes, vitestTest, systems: clients } = await import('../replay-engine.ts')
  const trace = await readSteps(ask.file, place)
  const { times, problem } = stageTimes(trace, { ...clients, ...place.systems })
  const text = vitestTest(trace, {
    system: ask.system,
    times,
    ...(ask.title.trim() !== '' && { title: ask.title.trim() }),
    ...(ask.only && { only: ask.only }),
  })
  return { text, ...(problem !== undefined && { problem }) }
}

/** Maximum number of steps to describe. */
const MOST_STEPS = 500

export async function describeFile(ask: Ask<'steps'>, place: JobPlace): Promise<Answer<'steps'>> {
  const trace = await readSteps(ask.file, place)
  const seqs = stimuliOf(trace, ask.part)
  const all = describeSteps(trace, seqs)
  const steps = all.slice(0, MOST_STEPS)
  const written = new Set(steps.map(({ seq }) => seq))
  const code = stepsAsCode(
    trace,
    seqs.filter(seq => written.has(seq)),
  )
  return { steps, more: all.length - steps.length, code }
}

/** Characters per chunk. */
const PIECE = 2 ** 18

export async function exportFile(ask: Ask<'export'>, place: JobPlace): Promise<Answer<'export'>> {
  const { exportPieces } = await import('../replay-engine.ts')
  const { format, diagram, machine } = ask
  const isChart = format === 'scxml' || (format === 'mermaid' && diagram === 'state')
  const trace = await (isChart ? readWhole(ask.file) : readSteps(ask.file, place))
  const part = format === 'har' ? wholeCalls(trace, ask.part) : ask.part
  const pieces: string[] = []
  let text = ''
  place.report({ words: 'writing' })
  for (const piece of exportPieces(partOf(trace, part), format, {
    ...(format === 'mermaid' && { diagram }),
    ...(machine !== undefined && { machine }),
  })) {
    text += piece
    if (text.length < PIECE) continue
    pieces.push(text)
    text = ''
  }
  return { blob: new Blob([...pieces, text], { type: 'text/plain' }) }
}
