// Before each test file: sets the default timeout of waits to that of `expect.poll`, as a second is short on
// a busy machine. After it: ends what the file started.
import { afterAll, vi } from 'vitest'
import { runEndings } from './endings.ts'

afterAll(runEndings)

const PATIENCE = 30_000
const patient = Symbol.for('chartroom.patient')

if (!Reflect.has(vi.waitFor, patient)) {
  const { waitFor } = vi
  const waitLonger: typeof waitFor = (callback, options) =>
    waitFor(callback, { timeout: PATIENCE, ...(typeof options === 'object' && options) })
  vi.waitFor = Object.assign(waitLonger, { [patient]: true })
}
