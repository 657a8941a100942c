// The console's commands: registering them, finding them by key, and running them.
import { describe, expect, it, test, vi } from 'vitest'
import { SECTIONS, type ConsoleCommand } from '../../src/ui/console/commands/use-commands.ts'
import { keyLabel, keyNameOf } from '../../src/ui/widgets/palette/key-name.ts'
import { CommandRegistry } from '../../src/ui/widgets/palette/registry.ts'
import { placeCommands, type PlaceHandlers } from '../../src/ui/console/place-commands.ts'

const press = (key: string, more = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})
const command = (id: string, more: Partial<ConsoleCommand> = {}): ConsoleCommand => ({
  id,
  title: id,
  section: 'Move',
  run: () => undefined,
  ...more,
})

describe('names of keys', () => {
  it('are those of the key caps; Shift is omitted for characters that need it', () => {
    const presses = [
      press('j'),
      press('J', { shiftKey: true }),
      press('?', { shiftKey: true }),
      press(' '),
      press('ArrowUp', { shiftKey: true }),
      press('k', { ctrlKey: true }),
      press('1', { altKey: true }),
    ]
    expect(presses.map(one => keyNameOf(one, false))).toEqual([
      'J',
      'Shift+J',
      '?',
      'Space',
      'Shift+ArrowUp',
      'Mod+K',
      'Alt+1',
    ])
  })

  it('use Command for Mod on Apple, and ignore the other modifier', () => {
    const [command_, control] = [press('k', { metaKey: true }), press('k', { ctrlKey: true })]
    expect([keyNameOf(command_, true), keyNameOf(control, true), keyNameOf(command_, false)]).toEqual([
      'Mod+K',
      undefined,
      undefined,
    ])
  })

  it('are those of Latin caps with a non-Latin keyboard layout', () => {
    expect(keyNameOf(press('о', { code: 'KeyJ' }), false)).toBe('J')
  })

  it('are formatted for the platform', () => {
    const names = ['Mod+K', 'Shift+J', 'ArrowLeft', '+', 'Mod++']
    expect(names.map(name => keyLabel(name, false))).toEqual(['Ctrl K', 'Shift J', '←', '+', 'Ctrl +'])
    expect(names.map(name => keyLabel(name, true))).toEqual(['⌘K', '⇧J', '←', '+', '⌘+'])
  })
})

describe('the registry', () => {
  it('lists registered commands by section, as the same list until it changes, and runs current ones', () => {
    const registry = new CommandRegistry(SECTIONS)
    const [view, log] = [{}, {}]
    const seen = vi.fn<() => void>()
    registry.subscribe(seen)
    const first = vi.fn<() => void>()
    registry.offer(view, [command('fit', { section: 'View', run: first })])
    registry.offer(log, [command('next')])
    const list = registry.list()
    expect(list.map(({ id }) => id)).toEqual(['next', 'fit'])
    const second = vi.fn<() => void>()
    registry.offer(view, [command('fit', { section: 'View', run: second })])
    expect(registry.list()).toBe(list)
    expect(seen).toHaveBeenCalledTimes(2)
    list[1]?.run()
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1])
    registry.withdraw(view)
    expect([registry.list().map(({ id }) => id), registry.run('fit'), seen.mock.calls.length]).toEqual([
      ['next'],
      false,
      3,
    ])
  })

  it('gives a key to an enabled command, and among those to the last registered one', () => {
    const registry = new CommandRegistry(SECTIONS)
    registry.offer({}, [command('chart.fit', { keys: ['F'] })])
    registry.offer({}, [command('lanes.fit', { keys: ['F'] })])
    const off = {}
    registry.offer(off, [command('lanes.fold', { keys: ['F'], disabled: 'nothing is there' })])
    expect(registry.forKey('F')?.id).toBe('lanes.fit')
    expect([registry.forKey('G'), registry.run('lanes.fold')]).toEqual([undefined, false])
  })
})

test('every command on the place with a key is reached by it', () => {
  const handlers = new Proxy({}, { get: () => () => undefined }) as PlaceHandlers
  const registry = new CommandRegistry(SECTIONS)
  registry.offer({}, placeCommands(handlers, { cause: 'it has none' }))
  const offered = registry.list().filter(({ keys }) => keys !== undefined)
  expect(offered.length).toBe(14)
  expect(offered.map(({ keys }) => registry.forKey(keys?.[0] ?? '')?.id)).toEqual(offered.map(({ id }) => id))
  expect(registry.run('cause')).toBe(false)
})
