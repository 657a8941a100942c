// Panes, presets and saved layouts: where they stand, how the URL has them, what is kept of them.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { arrange } from '../../src/ui/console/layout/arrangement.ts'
import { layoutCommands } from '../../src/ui/console/layout/layout-commands.ts'
import {
  hasRoomFor,
  layoutParams,
  paramsOfLink,
  readViews,
  withView,
  writeViews,
} from '../../src/ui/console/layout/saved-views.ts'
import {
  presetOf,
  PRESETS,
  readFrame,
  shownIn,
  START_FRAME,
  withBig,
  withPane,
  writeFrame,
} from '../../src/ui/console/model/frame-layout.ts'
import { START } from '../../src/ui/console/model/place.ts'

afterEach(() => vi.unstubAllGlobals())

/** A store of the browser with these values by their keys. */
function store(values: Record<string, string> = {}) {
  const kept = new Map(Object.entries(values))
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  return kept
}

describe('which panes are shown', () => {
  it.each([
    [START_FRAME, {}],
    [withPane(START_FRAME, 'log', false), { panes: 'tree,event' }],
    [withPane(START_FRAME, 'drive', true), { panes: 'tree,event,log,drive' }],
    [{ ...START_FRAME, panes: [], look: 'present' } as const, { panes: 'none', look: 'present' }],
    [withBig(START_FRAME, 'log'), { big: 'log' }],
    [{ ...START_FRAME, logAt: 'beside' } as const, { log: 'beside' }],
  ])('%j stands in the URL as %j, and is read from there', (frame, params) => {
    expect(writeFrame(frame)).toEqual(params)
    expect(readFrame(params)).toEqual(frame)
  })

  it('is as at the start where the URL says nothing that is known', () => {
    expect(readFrame({ panes: 'wheel,compass', big: 'wheel', log: 'above', look: 'sad' })).toEqual(
      START_FRAME,
    )
    expect(readFrame({ panes: 'log,wheel' }).panes).toEqual(['log'])
  })

  it('is what is large alone, until that is made small or another pane is asked for', () => {
    const large = withBig(START_FRAME, 'centre')
    expect([...shownIn(large)]).toEqual(['centre'])
    expect(withBig(large, 'centre')).toEqual(START_FRAME)
    expect(withPane(large, 'drive', true)).toEqual(withPane(START_FRAME, 'drive', true))
  })

  it('has the name of a preset while it is like one; the drive panel does not count', () => {
    expect(PRESETS.map(({ frame }) => presetOf(frame)?.id)).toEqual(['debug', 'test', 'present'])
    expect(presetOf(withPane(START_FRAME, 'drive', true))?.id).toBe('debug')
    expect(presetOf(withPane(START_FRAME, 'tree', false))).toBeUndefined()
  })
})

describe('where they stand', () => {
  const wide = { width: 1440, height: 800 }
  it.each([
    ['below, where there is height', START_FRAME, wide, 'below', 'tree+centre+event'],
    [
      'beside, where it is low and wide',
      START_FRAME,
      { width: 1440, height: 340 },
      'beside',
      'tree+centre+log+event',
    ],
    [
      'below, where it is low but not wide',
      START_FRAME,
      { width: 1280, height: 340 },
      'below',
      'tree+centre+event',
    ],
    [
      'beside by choice',
      { ...START_FRAME, logAt: 'beside' } as const,
      wide,
      'beside',
      'tree+centre+log+event',
    ],
    [
      'below by choice',
      { ...START_FRAME, logAt: 'below' } as const,
      { width: 1440, height: 340 },
      'below',
      'tree+centre+event',
    ],
    [
      'below in any case, where it is narrow',
      { ...START_FRAME, logAt: 'beside' } as const,
      { width: 390, height: 700 },
      'below',
      'tree+centre+event',
    ],
    [
      'in turn with the others, where there is next to no room',
      START_FRAME,
      { width: 390, height: 150 },
      'in turn',
      'tree+centre+log+event',
    ],
    ['nowhere, when hidden', withPane(START_FRAME, 'log', false), wide, 'nowhere', 'tree+centre+event'],
    [
      'beside, with the drive panel in the column of the selected event',
      withPane(START_FRAME, 'drive', true),
      { width: 1440, height: 340 },
      'beside',
      'tree+centre+log+event/drive',
    ],
    [
      'below, with room for the drive panel beside the selected event',
      withPane(START_FRAME, 'drive', true),
      wide,
      'below',
      'tree+centre+event+drive',
    ],
    [
      'below, with no room for both',
      withPane(START_FRAME, 'drive', true),
      { width: 1280, height: 800 },
      'below',
      'tree+centre+event/drive',
    ],
    ['alone, when large', withBig(START_FRAME, 'log'), wide, 'below', ''],
  ] as const)('the log: %s', (_, frame, room, logAt, columns) => {
    const arranged = arrange(frame, room)
    expect([arranged.logAt, arranged.columnsName]).toEqual([logAt, columns])
  })
})

describe('saved layouts', () => {
  const view = {
    name: 'Night watch',
    params: { panes: 'log', view: 'timeline', q: 'failed' },
    sizes: { rows: { log: 40 } },
  }

  it('are kept; one of the same name takes the place of the other', () => {
    store()
    writeViews(withView([view, { ...view, name: 'Day' }], { ...view, params: {} }))
    expect(readViews()).toEqual([
      { ...view, params: {} },
      { ...view, name: 'Day' },
    ])
  })

  it('are fifty at most, of which any can be saved anew', () => {
    const views = Array.from({ length: 50 }, (_, at) => ({ ...view, name: `view ${at}` }))
    expect([
      hasRoomFor(views.slice(1), 'Day'),
      hasRoomFor(views, 'Day'),
      hasRoomFor(views, 'view 49'),
    ]).toEqual([true, false, true])
  })

  it('are passed over where they are not what was written', () => {
    const bad = [
      null,
      { name: '', params: {} },
      { name: 'no params' },
      {
        name: 'half',
        params: { at: '12', panes: 'log', view: 7 },
        sizes: { rows: { log: 'wide' }, columns: { tree: 20 } },
      },
    ]
    store({ 'chartroom:console:views': JSON.stringify(bad) })
    expect(readViews()).toEqual([
      { name: 'half', params: { panes: 'log' }, sizes: { columns: { tree: 20 } } },
    ])
    store({ 'chartroom:console:views': '[{' })
    expect(readViews()).toEqual([])
  })

  it('come as a link from any console, without the moment that was looked at', () => {
    const params = { panes: 'log', view: 'timeline', q: 'type:token.* -noop' }
    expect(
      paramsOfLink('https://a.test/data?page=2&c.at=9&c.panes=log&c.view=timeline&c.q=type%3Atoken.*+-noop'),
    ).toEqual(params)
    expect(
      paramsOfLink('http://127.0.0.1:8080/?at=9&panes=log&view=timeline&q=type:token.*%20-noop#x'),
    ).toEqual(params)
    expect(paramsOfLink('https://a.test/data?page=2')).toBeUndefined()
    expect(layoutParams({ at: '9', actor: 'client', ...params }, false)).toEqual({
      panes: 'log',
      view: 'timeline',
    })
  })
})

it('commands say what they will do now', () => {
  const seen: object[] = []
  const offered = (frame: typeof START_FRAME) =>
    layoutCommands({ frame }, change => seen.push(change)).map(({ id, title }) => `${id}: ${title}`)
  expect(offered(START_FRAME)).toEqual([
    'layout.debug: Layout: Debug',
    'layout.test: Layout: Test',
    'layout.present: Layout: Present',
    'layout.tree: Hide the actors',
    'layout.event: Hide the selected event',
    'layout.log: Hide the log',
    'layout.big: Maximize the focused pane',
    'layout.log.below: Log: below',
    'layout.log.beside: Log: beside',
  ])
  expect(offered(withBig(START_FRAME, 'log'))).toContain('layout.big: Restore all panes')
  layoutCommands(START.layout, change => seen.push(change)).forEach(
    ({ id, run }) => id === 'layout.log' && run(),
  )
  expect(seen).toEqual([{ frame: { ...START_FRAME, panes: ['tree', 'event'] } }])
})
