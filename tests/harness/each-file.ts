// Before each test file: sets the default timeout of waits to that of `expect.poll`, as a second is short on
// a busy machine. After it, and after each of its tests: ends what was started.
import { relative } from 'node:path'
import { afterAll, afterEach, expect, vi } from 'vitest'
import { runEndings } from './endings.ts'
import { beginFile, endFile } from './left-behind.ts'

beginFile()
afterEach(() => runEndings('test'))
// The hook that is registered first runs last, after those of the file.
afterAll(async () => {
  await runEndings('file')
  await endFile(relative(process.cwd(), expect.getState().testPath ?? ''))
})

const PATIENCE = 30_000
const patient = Symbol.for('chartroom.patient')

if (!Reflect.has(vi.waitFor, patient)) {
  const { waitFor } = vi
  const waitLonger: typeof waitFor = (callback, options) =>
    waitFor(callback, { timeout: PATIENCE, ...(typeof options === 'object' && options) })
  vi.waitFor = Object.assign(waitLonger, { [patient]: true })
}
