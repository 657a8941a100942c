// The header of a live recording is one object, until a machine is added.
import { createMachine } from 'xstate'
import { expect, test } from 'vitest'
import { record } from '../../src/services/recording/index.ts'

test('readers get the same header each time, with or without a secret in its input', () => {
  for (const input of [{ place: 'deck' }, { password: { value: 'canary-1' } }]) {
    const recording = record(createMachine({ id: 'm' }), { input })
    recording.start()
    const { header } = recording.trace
    expect(recording.trace.header).toBe(header)
    expect(JSON.stringify(header)).not.toContain('canary')
    recording.stop()
  }
})
