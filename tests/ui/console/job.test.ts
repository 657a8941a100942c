// A job with its result: stopped before its worker runs, canceled, failed, and run again.
import { expect, test } from 'vitest'
import { Job, type JobHandle } from '../../../src/ui/console/job.ts'

/** A job whose latest run ends on request. */
function started() {
  const job = new Job<string>()
  const done: string[] = []
  const run = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const handles: JobHandle[] = []
    job.run(
      handle => {
        handles.push(handle)
        return promise
      },
      result => done.push(result),
    )
    const [handle] = handles
    if (!handle) throw new Error('It does not run.')
    return { resolve, reject, handle }
  }
  return { job, run, done }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

test('keeps the last result while the next one runs, fails or is canceled', async () => {
  const { job, run, done } = started()
  expect(job.state()).toEqual({ phase: 'none' })
  run().resolve('first')
  await settled()
  expect([job.state(), done]).toEqual([{ phase: 'done', last: 'first' }, ['first']])
  job.cancel()
  expect(job.state()).toEqual({ phase: 'none', last: 'first' })
  const second = run()
  second.handle.report({ share: 0.25 })
  expect(job.state()).toEqual({ phase: 'going', progress: { share: 0.25 }, last: 'first' })
  second.reject(new Error('No worker.'))
  await settled()
  expect(job.state()).toEqual({ phase: 'failed', message: 'No worker.', last: 'first' })
  const third = run()
  job.cancel()
  third.resolve('third')
  await settled()
  expect([job.state(), third.handle.signal.aborted, done]).toEqual([
    { phase: 'canceled', last: 'first' },
    true,
    ['first'],
  ])
})

test('a run that is replaced neither reports nor ends the next one', async () => {
  const { job, run, done } = started()
  const first = run()
  const second = run()
  first.handle.report({ share: 1 })
  first.resolve('first')
  await settled()
  expect([job.state(), first.handle.signal.aborted]).toEqual([
    { phase: 'going', progress: {}, last: undefined },
    true,
  ])
  second.resolve('second')
  await settled()
  expect([job.state(), done]).toEqual([{ phase: 'done', last: 'second' }, ['second']])
})

test('a stop before there is something to stop is not lost', async () => {
  const { job, run } = started()
  const { handle, resolve } = run()
  job.stop()
  // As when the trace must first become a file.
  await settled()
  handle.onStop(() => resolve('so far'))
  await settled()
  expect(job.state()).toEqual({ phase: 'done', last: 'so far' })
})
