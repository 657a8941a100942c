// Before each test file: sets the default timeout of waits to that of `expect.poll`, as a second is short on
// a busy machine. After it, and after each of its tests: ends what was started.
import { afterAll, afterEach, vi } from 'vitest'
import { runEndings } from './endings.ts'

afterEach(() => runEndings('test'))
afterAll(() => runEndings('file'))

const PATIENCE = 30_000
const patient = Symbol.for('chartroom.patient')

if (!Reflect.has(vi.waitFor, patient)) {
  const { waitFor } = vi
  const waitLonger: typeof waitFor = (callback, options) =>
    waitFor(callback, { timeout: PATIENCE, ...(typeof options === 'object' && options) })
  vi.waitFor = Object.assign(waitLonger, { [patient]: true })
}
