// Two consoles on one page: rows, arrow heads and hatchings do not share ids.
import { expect, test, vi } from 'vitest'
import { LiveFeed } from '../../src/trace/index.ts'
import { wholeOf } from '../../src/ui/console/canvas/time-scale.ts'
import { Defs, useRefs } from '../../src/ui/console/chart/defs.tsx'
import { NetworkView } from '../../src/ui/console/network/network-view.tsx'
import { START } from '../../src/ui/console/model/place.ts'
import { TimelineView } from '../../src/ui/console/timeline/timeline-view.tsx'
import { ConsoleContext, type ConsoleValue } from '../../src/ui/console/use-console.ts'
import { CommandRegistry } from '../../src/ui/widgets/palette/registry.ts'
import { CommandsContext } from '../../src/ui/widgets/palette/use-commands.ts'
import '../harness/react.tsx'
import { actorEntries, traceSource, stepRecords } from './console-trace.ts'

const { createRoot } = await import('react-dom/client')
const { act } = await import('react')

// APIs that lists and buttons need.
for (const name of [
  'HTMLElement',
  'SVGElement',
  'ResizeObserver',
  'MutationObserver',
  'getComputedStyle',
] as const)
  vi.stubGlobal(name, window[name])
// Nothing is painted.
vi.stubGlobal('requestAnimationFrame', () => 0)
vi.stubGlobal('cancelAnimationFrame', () => undefined)
vi.stubGlobal('matchMedia', (query: string) => window.matchMedia(query))

const actors = actorEntries(
  ['client', 'client'],
  ['client/requests', 'requests'],
  ['client/requests/request.1', 'request'],
)
const info = { method: 'GET', path: '/rest/v1/vessels' }
const feed = new LiveFeed(
  traceSource({
    actors,
    steps: stepRecords([
      { actor: 0, type: 'xstate.init', value: 'on' },
      { actor: 1, type: 'xstate.init', value: 'ready' },
      { actor: 2, type: 'xstate.init', event: { type: 'xstate.init', input: { info } }, value: 'exchanging' },
    ]),
  }),
)
feed.advance(Infinity)
const { timeline } = feed

const nothing = () => undefined
const registry = new CommandRegistry()
/** What the view takes from its console. */
const inConsole = { place: START, go: nothing } as unknown as ConsoleValue

function Views() {
  const range = wholeOf(timeline.end)
  const place = { timeline, version: 3, actor: 2, range, onRecord: nothing }
  return (
    <CommandsContext value={registry}>
      <ConsoleContext value={inConsole}>
        <NetworkView {...place} at={2} seq={2} />
      </ConsoleContext>
      <TimelineView
        {...place}
        seq={2}
        full={range}
        marks={{}}
        findings={[]}
        toneOf={() => 'neutral'}
        onRange={nothing}
        onMoment={nothing}
        onActor={nothing}
      />
      <svg>
        <Defs>
          <Drawn />
        </Defs>
      </svg>
    </CommandsContext>
  )
}

function Drawn() {
  const { arrow, arrowHot, hatch } = useRefs()
  return <path data-refs={[arrow, arrowHot, hatch].join(' ')} />
}

test('every id is unique, and each reference points into its own console', async () => {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () =>
    root.render(
      <>
        <section>
          <Views />
        </section>
        <section>
          <Views />
        </section>
      </>,
    ),
  )
  const ids = [...place.querySelectorAll('[id]')].map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(8)
  expect(new Set(ids).size).toBe(ids.length)
  for (const section of place.querySelectorAll('section')) {
    const within = new Set([...section.querySelectorAll('[id]')].map(({ id }) => id))
    const pointers = [...section.querySelectorAll('[aria-activedescendant]')]
    const refs = section.querySelector('[data-refs]')?.getAttribute('data-refs') ?? ''
    const pointed = [
      ...pointers.map(one => one.getAttribute('aria-activedescendant') ?? ''),
      ...[...refs.matchAll(/#([^)]+)/g)].map(([, id]) => id ?? ''),
    ]
    expect(pointed).toHaveLength(5)
    expect(pointed.filter(id => !within.has(id))).toEqual([])
  }
  await act(async () => root.unmount())
})
