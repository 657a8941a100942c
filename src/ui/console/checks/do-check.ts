// Checks a file against invariants and assertions; the file stays compressed.
import type { Assertion } from '../../../trace/index.ts'
import { readSteps, type JobPlace } from './job-place.ts'
import type { Answer, Ask } from './jobs.ts'
import { MOST_FAILURES } from './findings.ts'

/** Reads assertions as the Checks tab does, and adds the client's invariants. */
export async function assertionsOf(own: readonly unknown[], withInvariants: boolean): Promise<Assertion[]> {
  const { invariants, readAssertions } = await import('../replay-engine.ts')
  if (own.length === 0) return withInvariants ? invariants() : []
  const read = readAssertions(own)
  if (read.kind === 'unusable')
    throw new Error(read.problems.map(({ at, message }) => `${at} ${message}`).join('\n'))
  return [...(withInvariants ? invariants() : []), ...read.assertions]
}

export async function checkFile(ask: Ask<'check'>, place: JobPlace): Promise<Answer<'check'>> {
  const { checkModel, checkTrace, openTrace } = await import('../replay-engine.ts')
  const { report: notify, signal } = place
  const assertions = await assertionsOf(ask.assertions, ask.invariants)
  const opened = await openTrace(ask.file, {
    onProgress: share => notify({ share: share / 2, words: 'reading' }),
  })
  if (opened.kind === 'unusable') throw new Error(`The file can't be used: ${opened.message}`)
  const { model } = opened
  const report =
    model.header.steps === false
      ? checkTrace(await readSteps(ask.file, place), assertions, { limit: MOST_FAILURES })
      : await checkModel(model, assertions, {
          limit: MOST_FAILURES,
          signal,
          onProgress: (steps, of) =>
            notify({ share: 0.5 + steps / of / 2, words: `${steps.toLocaleString('en')} steps` }),
        })
  return { results: report.results, steps: report.steps }
}
