// The workbench's frame: key sequences, the palette, the switcher, the tour.
import { describe, expect, it, test } from 'vitest'
import { appItems, GRAMMAR, withUsed } from '../../src/ui/app/commands/app-palette.tsx'
import { SECTIONS, type AppCommand } from '../../src/ui/app/commands/app-command.ts'
import { joined } from '../../src/ui/app/commands/app-commands.tsx'
import type { Connection } from '../../src/services/workbench/hosts/index.ts'
import { optionsOf } from '../../src/ui/app/shell/notify.ts'
import { switchGroups } from '../../src/ui/app/shell/switch-items.ts'
import { STEPS } from '../../src/ui/app/tour/steps.ts'
import { tourReducer, type TourState } from '../../src/ui/app/tour/tour.tsx'
import { rank } from '../../src/ui/widgets/palette/rank.ts'
import { CommandRegistry } from '../../src/ui/widgets/palette/registry.ts'

const command = (id: string, title: string, more: Partial<AppCommand> = {}): AppCommand => ({
  id,
  title,
  section: 'View',
  run: () => undefined,
  ...more,
})

test('two keys pressed within the time limit are one shortcut', () => {
  const first = { name: 'G', at: 1_000 }
  expect([joined(first, 'D', 1_400), joined(first, 'D', 3_000), joined(undefined, 'D', 1_400)]).toEqual([
    'G D',
    undefined,
    undefined,
  ])
})

test('the palette lists pages first, is filtered by a prefix, and remembers a few commands', () => {
  const registry = new CommandRegistry(SECTIONS)
  registry.offer({}, [
    command('theme', 'Theme: dark'),
    command('table', 'voyages', { section: 'Go to', words: 'table' }),
    command('go.data', 'Data', { section: 'Go to', words: 'tables rows', keys: ['G D'] }),
  ])
  const items = appItems(registry.list())
  const titles = (text: string, used: readonly string[] = []) =>
    rank(GRAMMAR, items, text, used).found.map(({ item }) => item.title)
  expect(titles('')).toEqual(['voyages', 'Data', 'Theme: dark'])
  expect(titles('', ['command:theme'])).toEqual(['Theme: dark', 'voyages', 'Data'])
  expect([titles('>'), titles('/dat'), titles('voy')]).toEqual([['Theme: dark'], ['Data'], ['voyages']])
  expect(registry.forKey('G D')?.id).toBe('go.data')
  expect(withUsed(['a', 'b', 'c', 'd', 'e'], 'c')).toEqual(['c', 'a', 'b', 'd', 'e'])
})

describe('the switcher', () => {
  const host = (name: string, embedded = false): Connection => ({
    id: `http://${name}`,
    name,
    url: `http://${name}`,
    key: 'k',
    embedded,
  })
  const account = (id: string, email: string) => ({ id, userId: `u-${id}`, email, isAnonymous: false })

  it('lists the current host with its accounts first, then the others, then the link to all hosts', () => {
    const did: unknown[] = []
    const [skipper, mate] = [
      account('main', 'skipper@harbour.test'),
      account('account-2', 'mate@harbour.test'),
    ]
    const groups = switchGroups(
      {
        connections: { active: 'http://harbour', list: [host('port'), host('harbour', true)] },
        dispatch: action => did.push(action),
      },
      {
        list: [skipper, mate],
        active: skipper,
        add: () => did.push('add'),
        switchTo: id => did.push(id),
        signOut: id => {
          did.push(['sign out', id])
          return Promise.resolve({ ok: true, value: undefined })
        },
      },
      {
        manage: () => did.push('manage'),
        account: () => did.push('account'),
        leaveGuest: id => did.push(`leave ${id}`),
      },
      [{ title: 'Times in UTC', isOn: true, choose: () => did.push('utc') }],
    )
    expect(groups.map(({ title, items }) => [title, items.map(item => [item.title, item.isOn])])).toEqual([
      [
        'harbour · embedded',
        [
          ['skipper@harbour.test', true],
          ['mate@harbour.test', false],
          ['Sign in with another account', false],
          ['Sign out', false],
        ],
      ],
      ['port', [['Connect', false]]],
      ['Backends', [['Manage backends…', false]]],
      ['Time zone', [['Times in UTC', true]]],
    ])
    for (const item of groups.flatMap(({ items }) => items)) item.run()
    expect(did).toEqual([
      'account',
      'account-2',
      'add',
      ['sign out', 'main'],
      { type: 'connection.chosen', id: 'http://port' },
      'manage',
      'utc',
    ])
  })
})

test('the tour is offered, goes forward and back, and ends when it is closed', () => {
  const offered: TourState = { at: 'offered' }
  const started = tourReducer(offered, { type: 'tour.started' })
  const second = tourReducer(started, { type: 'tour.went', by: 1 })
  expect([started, second, tourReducer(started, { type: 'tour.went', by: -1 })]).toEqual([
    { at: 'step', step: 0 },
    { at: 'step', step: 1 },
    { at: 'step', step: 0 },
  ])
  expect(tourReducer(offered, { type: 'tour.went', by: 1 })).toBe(offered)
  expect(tourReducer(second, { type: 'tour.left' })).toEqual({ at: 'over' })
  expect(new Set(STEPS.map(({ id }) => id)).size).toBe(STEPS.length)
})

describe('a notice with an action', () => {
  const action = { label: 'Undo', run: () => undefined }
  const timeOf = ({ duration, style }: ReturnType<typeof optionsOf>) => [duration, style]

  test('shows the remaining time, in steps of a second with reduced motion', () => {
    expect(timeOf(optionsOf({ title: 'Forgot it', action }))).toEqual([
      10_000,
      { '--lasts': '10000ms', '--beats': '10' },
    ])
  })

  test('is not paused by the mouse if its action expires anyway', () => {
    const strict = optionsOf({ title: 'Deleting', action, within: 6_000 })
    expect(timeOf(strict)).toEqual([Infinity, { '--lasts': '6000ms', '--beats': '6' }])
    expect(strict.className).not.toBe(optionsOf({ title: 'Deleting', action, lasts: 6_000 }).className)
  })

  test('has no progress bar while it stays, and other notices have none', () => {
    expect(timeOf(optionsOf({ tone: 'fail', title: 'No', action }))).toEqual([Infinity, undefined])
    expect(timeOf(optionsOf({ title: 'Copied' }))).toEqual([4_000, undefined])
  })
})
