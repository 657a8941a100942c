// Panes, presets and saved layouts: positions, URL format, and storage.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { arrange } from '../../src/ui/console/layout/arrangement.ts'
import { layoutCommands } from '../../src/ui/console/layout/layout-menu.tsx'
import {
  hasRoomFor,
  layoutParams,
  paramsOfLink,
  readViews,
  withView,
  writeViews,
} from '../../src/ui/console/layout/use-saved-views.ts'
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

/** A browser store with these values by key. */
function store(values: Record<string, string> = {}) {
  const kept = new Map(Object.entries(values))
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  return kept
}

describe('visible panes', () => {
  it.each([
    [START_FRAME, {}],
    [withPane(START_FRAME, 'log', false), { panes: 'tree,event' }],
    [withPane(START_FRAME, 'drive', true), { panes: 'tree,event,log,drive' }],
    [{ ...START_FRAME, panes: [], look: 'present' } as const, { panes: 'none', look: 'present' }],
    [withBig(START_FRAME, 'log'), { big: 'log' }],
    [{ ...START_FRAME, logAt: 'beside' } as const, { log: 'beside' }],
  ])('%j is written to the URL as %j, and read back', (frame, params) => {
    expect(writeFrame(frame)).toEqual(params)
    expect(readFrame(params)).toEqual(frame)
  })

  it('uses the defaults for unknown URL values', () => {
    expect(readFrame({ panes: 'wheel,compass', big: 'wheel', log: 'above', look: 'sad' })).toEqual(
      START_FRAME,
    )
    expect(readFrame({ panes: 'log,wheel' }).panes).toEqual(['log'])
  })

  it('shows only a maximized pane until it is restored or another pane is requested', () => {
    const large = withBig(START_FRAME, 'center')
    expect([...shownIn(large)]).toEqual(['center'])
    expect(withBig(large, 'center')).toEqual(START_FRAME)
    expect(withPane(large, 'drive', true)).toEqual(withPane(START_FRAME, 'drive', true))
  })

  it('has the name of a matching preset; the control panel does not count', () => {
    expect(PRESETS.map(({ frame }) => presetOf(frame)?.id)).toEqual(['debug', 'test', 'present'])
    expect(presetOf(withPane(START_FRAME, 'drive', true))?.id).toBe('debug')
    expect(presetOf(withPane(START_FRAME, 'tree', false))).toBeUndefined()
  })
})

describe('pane positions', () => {
  const wide = { width: 1440, height: 800 }
  it.each([
    ['below, in a tall console', START_FRAME, wide, 'below', 'tree+center+event'],
    [
      'beside, where it is low and wide',
      START_FRAME,
      { width: 1600, height: 340 },
      'beside',
      'tree+center+log+event',
    ],
    [
      'beside, where it is low, with the actors in a drawer',
      START_FRAME,
      { width: 1440, height: 340 },
      'beside',
      'center+log+event',
    ],
    [
      'beside, where it is low but not wide, with two drawers',
      START_FRAME,
      { width: 1024, height: 290 },
      'beside',
      'center+log',
    ],
    ['beside by choice', { ...START_FRAME, logAt: 'beside' } as const, wide, 'beside', 'center+log+event'],
    [
      'below by choice',
      { ...START_FRAME, logAt: 'below' } as const,
      { width: 1440, height: 340 },
      'below',
      'tree+center+event',
    ],
    [
      'below in any case, where it is narrow',
      { ...START_FRAME, logAt: 'beside' } as const,
      { width: 390, height: 700 },
      'below',
      'tree+center+event',
    ],
    [
      'in turn with the others, where there is next to no room',
      START_FRAME,
      { width: 390, height: 150 },
      'in turn',
      'tree+center+log+event',
    ],
    ['nowhere, when hidden', withPane(START_FRAME, 'log', false), wide, 'nowhere', 'tree+center+event'],
    [
      'beside, with the selected event in a drawer while there is a control panel',
      withPane(START_FRAME, 'drive', true),
      { width: 1440, height: 340 },
      'beside',
      'center+log+drive',
    ],
    [
      'below, with room for the control panel next to the selected event',
      withPane(START_FRAME, 'drive', true),
      wide,
      'below',
      'tree+center+event+drive',
    ],
    [
      'below, with no room for both',
      withPane(START_FRAME, 'drive', true),
      { width: 1280, height: 800 },
      'below',
      'tree+center+drive',
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

  it('are stored; one with the same name is replaced', () => {
    store()
    writeViews(withView([view, { ...view, name: 'Day' }], { ...view, params: {} }))
    expect(readViews()).toEqual([
      { ...view, params: {} },
      { ...view, name: 'Day' },
    ])
  })

  it('are limited to fifty, of which any can be saved again', () => {
    const views = Array.from({ length: 50 }, (_, at) => ({ ...view, name: `view ${at}` }))
    expect([
      hasRoomFor(views.slice(1), 'Day'),
      hasRoomFor(views, 'Day'),
      hasRoomFor(views, 'view 49'),
    ]).toEqual([true, false, true])
  })

  it('are ignored if they are invalid', () => {
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

  it('come as a link from any console, without its moment', () => {
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

it('commands are labeled with what they will do', () => {
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
