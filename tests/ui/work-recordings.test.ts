// Background jobs for the console: the last ones, and the one that is shown instead of the client.
import { expect, test, vi } from 'vitest'
import { MOST_WORK, WorkRecordings, type WorkRecording } from '../../src/ui/app/work-recordings.ts'

const made = () => ({ recording: {} }) as Pick<WorkRecording, 'recording'>

test('the newest comes first; the oldest is dropped, except for the one being viewed', async () => {
  const recordings = new WorkRecordings()
  const onChange = vi.fn<() => void>()
  recordings.subscribe(onChange)
  const [first, second] = [made(), made()]
  recordings.add('Edits of vessels', first)
  recordings.add('Deletion of 1 row of vessels', second)
  expect(onChange).not.toHaveBeenCalled()
  await Promise.resolve()
  expect(onChange).toHaveBeenCalledTimes(2)
  recordings.show(first.recording)
  const { shown } = recordings.state()
  expect(shown).toEqual({ ...first, name: 'Edits of vessels', id: 'work1', at: {} })
  recordings.show(first.recording)
  expect(recordings.state().shown).not.toBe(shown)
  for (let n = 0; n < MOST_WORK; n += 1) recordings.add('More', made())
  const names = recordings.state().list.map(({ name }) => name)
  expect(names).toEqual([...Array<string>(MOST_WORK).fill('More'), 'Edits of vessels'])
  recordings.show(undefined)
  recordings.add('Last', made())
  expect(recordings.state().list.map(({ name }) => name)).toEqual([
    'Last',
    ...Array<string>(MOST_WORK - 1).fill('More'),
  ])
  expect(recordings.state().shown).toBe(undefined)
})

test('the client of another account stays, and is shown where its request is', () => {
  const recordings = new WorkRecordings()
  const other = made()
  recordings.add('Client of mate', { ...other, stays: true })
  for (let n = 0; n < 2 * MOST_WORK; n += 1) recordings.add('More', made())
  expect(recordings.state().list).toHaveLength(MOST_WORK + 1)
  const at = { actor: 'client/requests/request.r7', view: 'network' }
  recordings.show(other.recording, at)
  expect(recordings.state().shown).toEqual({
    ...other,
    name: 'Client of mate',
    id: 'work1',
    stays: true,
    at,
  })
})

test('the recording of a page replaces that of the last one, unless it is shown', () => {
  const recordings = new WorkRecordings()
  const names = () => recordings.state().list.map(({ name }) => name)
  const rows = made()
  recordings.add('Edits of vessels', made())
  recordings.add('Rows of ports', { ...made(), isPage: true })
  recordings.add('Rows of vessels', { ...rows, isPage: true })
  expect(names()).toEqual(['Rows of vessels', 'Edits of vessels'])
  recordings.show(rows.recording)
  recordings.add('Rows of crew', { ...made(), isPage: true })
  expect(names()).toEqual(['Rows of crew', 'Rows of vessels', 'Edits of vessels'])
})
