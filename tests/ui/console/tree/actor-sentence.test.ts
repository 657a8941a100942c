// One sentence for each actor: from the specifications of this client's machines, or of another app's chart.
import { describe, expect, it } from 'vitest'
import type { Spec } from '../../../../src/machines/index.ts'
import { recordedSpecs } from '../../../../src/machines/specs.ts'
import sentences from '../../../../src/ui/console/tree/actor-sentences.json'
import { actorSentence } from '../../../../src/ui/console/tree/use-actor-sentence.ts'
import { both, clientTrace, request, wait } from '../../../trace/explain/corpus/situation.ts'
import { stored } from '../../../harness/timeline.ts'
import { actorEntries, doorChart } from '../../console-trace.ts'

describe('the sentence about an actor', () => {
  const { actors } = clientTrace([stored(3_000)], both(wait(10), request(), wait(1_000)))
  const known = { actors, charts: {}, sentences }
  const about = (path: string) => {
    const entry = actors.find(actor => actor.path === path)
    return entry && actorSentence(entry, known)
  }

  it('is that of its specification', () => {
    expect(about('client/refresh')).toMatch(/^When to refresh the token/)
    expect(about('client/refresh/ticker')).toMatch(/^Reports the time/)
  })

  it('is there for each actor of the client', () => {
    expect(actors.filter(actor => actorSentence(actor, known) === undefined)).toEqual([])
  })

  it('is there for each machine and port of the workbench, and is short', () => {
    for (const { machine, ports } of Object.values<Spec>(recordedSpecs))
      for (const name of [machine.id, ...Object.keys(ports).map(port => `${machine.id}/${port}`)]) {
        const [, text] = Object.entries(sentences).find(([known_]) => known_ === name) ?? []
        expect([name, text]).toEqual([name, expect.stringMatching(/^.{10,250}\.$/)])
      }
  })

  it('is the description of another app’s machine, if it has one', () => {
    const entries = actorEntries(['door', 'door'], ['door/bell', 'bell'])
    const described = { ...doorChart, root: { ...doorChart.root, description: 'A door with a lock.' } }
    const of = (index: number, charts: Readonly<Record<string, typeof doorChart>>) => {
      const entry = entries[index]
      return entry && actorSentence(entry, { actors: entries, charts, sentences: undefined })
    }
    expect(of(0, { door: described })).toBe('A door with a lock.')
    expect(of(0, { door: doorChart })).toBe(undefined)
    expect(of(1, { door: described })).toBe(undefined)
  })
})
