// The tour inside its page: its steps come from the guide, its checks see what was done, and it resumes.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Window } from 'happy-dom'
import { CHECKS, newlyDone, type TourPage } from '../../scripts/tour-guide/checks.ts'
import { readProgress, TOUR_START } from '../../scripts/tour-guide/progress.ts'
import { inlinesOf, readTour } from '../../scripts/tour-guide/read-tour.ts'
import { root } from '../../scripts/tool.ts'

const steps = readTour(await readFile(join(root, 'docs/guide/tour.md'), 'utf8'))

test('the steps are the items of the guide; only those without a trace in the page have no check', () => {
  expect(steps.map(({ id }) => id).join(' ')).toBe(
    '1.1 1.2 1.3 1.4 2.1 2.2 2.3 2.4 3.1 3.2 3.3 4.1 5.1 6.1 6.2 6.3',
  )
  const ids = steps.map(({ id }) => id)
  expect(ids.filter(id => !CHECKS[id])).toEqual(['1.3', '6.3'])
  expect(Object.keys(CHECKS).filter(id => !ids.includes(id))).toEqual([])
  const fix = steps.find(({ id }) => id === '4.1')
  expect(fix?.blocks.map(({ kind }) => kind)).toEqual(['text', 'code', 'text', 'code', 'text'])
  expect(steps.flatMap(({ blocks }) => blocks).filter(({ text }) => /^!\[|^```/.test(text))).toEqual([])
})

test('the markup of a paragraph becomes pieces; a link is its text', () => {
  expect(inlinesOf('Press **Run** or <kbd>P</kbd> in `a_b`, _then_ see [this](x.md).')).toEqual([
    { kind: 'plain', text: 'Press ' },
    { kind: 'strong', text: 'Run' },
    { kind: 'plain', text: ' or ' },
    { kind: 'kbd', text: 'P' },
    { kind: 'plain', text: ' in ' },
    { kind: 'code', text: 'a_b' },
    { kind: 'plain', text: ', ' },
    { kind: 'em', text: 'then' },
    { kind: 'plain', text: ' see ' },
    { kind: 'plain', text: 'this' },
    { kind: 'plain', text: '.' },
  ])
})

test('a step is done once the page shows it; a resume needs the pause before it', () => {
  const { document } = new Window()
  const page = (done: readonly string[] = [], isBroken = true): TourPage => ({
    document: document as unknown as Document,
    done: new Set(done),
    isBroken,
  })
  const ids = ['1.1', '2.3', '2.4', '4.1']
  expect(newlyDone(page(), ids)).toEqual([])
  document.body.innerHTML = '<button aria-label="Close file"></button><strong>PAUSED</strong>'
  expect(newlyDone(page(), ids)).toEqual(['1.1', '2.3'])
  expect(newlyDone(page(['1.1', '2.3']), ids)).toEqual([])
  document.body.innerHTML = ''
  expect(newlyDone(page(), ids)).toEqual([])
  expect(newlyDone(page(['1.1', '2.3']), ids)).toEqual(['2.4'])
  expect(newlyDone(page([], false), ids)).toEqual(['4.1'])
})

test.each([null, 'no JSON', '7', '{"at":99}', '{"at":-1,"done":"1.1"}'])(
  '%j starts at the beginning',
  text => {
    expect(readProgress(text, ['1.1', '1.2'])).toEqual(TOUR_START)
  },
)

test('a stored progress is resumed; steps that no longer exist are dropped', () => {
  const stored = { at: 1, done: ['1.1', '9.9'], isClosed: true }
  expect(readProgress(JSON.stringify(stored), ['1.1', '1.2'])).toEqual({ ...stored, done: ['1.1'] })
})
