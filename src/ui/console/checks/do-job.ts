// Runs the jobs of the check and export tabs on a trace file.
import { checkFile } from './do-check.ts'
import { minimizeFile, verifyFile } from './do-replay.ts'
import { exportFile, describeFile, testFile } from './do-write.ts'
import { readWhole, type JobPlace } from './job-place.ts'
import type { Answer, Ask, JobKind } from './jobs.ts'

type JobHandler<K extends JobKind> = (ask: Ask<K>, place: JobPlace) => Promise<Answer<K>>

const HANDLERS: { readonly [K in JobKind]: JobHandler<K> } = {
  check: checkFile,
  cover: coverFiles,
  verify: verifyFile,
  minimize: minimizeFile,
  test: testFile,
  steps: describeFile,
  export: exportFile,
}

/** @throws Error with a message that can be shown to the user */
export function doJob<K extends JobKind>(kind: K, ask: Ask<K>, place: JobPlace): Promise<Answer<K>> {
  return HANDLERS[kind](ask, place)
}

async function coverFiles(
  { files }: Ask<'cover'>,
  { report, systems: own }: JobPlace,
): Promise<Answer<'cover'>> {
  const { coverage, mergeCoverage, systems } = await import('../replay-engine.ts')
  const known = { ...systems, ...own }
  const unusable: { name: string; reason: string }[] = []
  const reports = []
  for (const [at, { name, blob }] of files.entries()) {
    report({
      share: at / files.length,
      words: files.length > 1 ? `${at + 1} of ${files.length} files` : 'replaying',
    })
    try {
      reports.push(coverage([await readWhole(blob)], known))
    } catch (error) {
      unusable.push({ name, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return { report: mergeCoverage(reports), unusable }
}
