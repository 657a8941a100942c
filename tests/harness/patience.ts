// Before each test file: sets the default timeout of waits to that of `expect.poll`, as a second is short on
// a busy machine.
import { vi } from 'vitest'

const PATIENCE = 30_000
const patient = Symbol.for('chartroom.patient')

if (!Reflect.has(vi.waitFor, patient)) {
  const { waitFor } = vi
  const waitLonger: typeof waitFor = (callback, options) =>
    waitFor(callback, { timeout: PATIENCE, ...(typeof options === 'object' && options) })
  vi.waitFor = Object.assign(waitLonger, { [patient]: true })
}
