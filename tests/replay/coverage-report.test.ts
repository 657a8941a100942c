// Coverage of one or several traces, of traces that do not replay, and coverage thresholds.
import { createMachine } from 'xstate'
import type { AnyStateMachine } from 'xstate'
import { describe, expect, test } from 'vitest'
import { composeClient, declaredPorts } from '../../src/services/client/index.ts'
import { record } from '../../src/services/recording/index.ts'
import { coverage } from '../../src/services/replay/index.ts'
import {
  checkThresholds,
  type CoverageReport,
  type MachineCounts,
  mergeCoverage,
  selectMachines,
  toReport,
  recordedCoverage,
  type ReplayableTrace,
} from '../../src/trace/index.ts'
import { stormyRun } from '../harness/recorded-run.ts'

const lamp = (isBroken = false): AnyStateMachine =>
  createMachine(
    {
      id: 'lamp',
      initial: 'off',
      states: {
        off: { on: { press: [{ guard: 'isBroken', target: 'broken' }, { target: 'on' }] } },
        on: { on: { press: 'off', hit: 'flash' } },
        flash: { always: 'broken' },
        broken: {},
      },
    },
    { guards: { isBroken: () => isBroken } },
  ) as unknown as AnyStateMachine

function recorded(machine: AnyStateMachine, ...events: readonly string[]): ReplayableTrace {
  const recording = record(machine)
  recording.start()
  for (const type of events) recording.actor.send({ type })
  return recording.trace
}

const short = ({ machines }: CoverageReport) =>
  machines.map(({ id, states, transitions, guards }) => ({
    id,
    states: states.map(({ entered }) => entered),
    transitions: transitions.map(({ taken }) => taken),
    guards: guards.map(({ passed, failed }) => [passed, failed]),
  }))

const systems = { lamp: lamp() }
const [pressed, hit] = [recorded(lamp(), 'press', 'press', 'press'), recorded(lamp(), 'press', 'hit')]

describe('a report', () => {
  test('is plain data: what was reached, how often, and what never was', () => {
    const report = coverage([pressed], systems)
    const { hash, startedAt } = { hash: pressed.header.machines['lamp']?.hash, ...pressed.header }
    const totals = {
      states: { covered: 3, total: 5, percent: 60 },
      transitions: { covered: 2, total: 5, percent: 40 },
      guards: { covered: 1, total: 2, percent: 50 },
    }
    expect(report).toEqual({
      traces: [{ system: 'lamp', startedAt, how: 'replayed' }],
      totals,
      machines: [
        {
          id: 'lamp',
          hash,
          states: [
            { path: '', type: 'compound', entered: 1 },
            { path: 'off', type: 'atomic', entered: 2 },
            { path: 'on', type: 'atomic', entered: 2 },
            { path: 'flash', type: 'atomic', entered: 0 },
            { path: 'broken', type: 'atomic', entered: 0 },
          ],
          transitions: [
            { name: 'off#0', event: 'press', targets: ['broken'], guard: 'isBroken', actions: [], taken: 0 },
            { name: 'off#1', event: 'press', targets: ['on'], actions: [], taken: 2 },
            { name: 'on#0', event: 'press', targets: ['off'], actions: [], taken: 1 },
            { name: 'on#1', event: 'hit', targets: ['flash'], actions: [], taken: 0 },
            { name: 'flash#0', event: 'always', targets: ['broken'], actions: [], taken: 0 },
          ],
          guards: [{ transition: 'off#0', guard: 'isBroken', passed: 0, failed: 2 }],
          totals,
          missing: {
            states: ['flash', 'broken'],
            transitions: ['off#0', 'on#1', 'flash#0'],
            guards: [{ transition: 'off#0', guard: 'isBroken', branch: true }],
          },
        },
      ],
    })
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  })

  test('of several traces is their sum, computed together or merged', () => {
    const both = coverage([pressed, hit], systems)
    expect(short(both)).toEqual([
      { id: 'lamp', states: [2, 3, 3, 1, 1], transitions: [0, 3, 1, 1, 1], guards: [[0, 3]] },
    ])
    expect(mergeCoverage([coverage([pressed], systems), coverage([hit], systems)])).toEqual(both)
    expect(mergeCoverage([])).toEqual(toReport([], []))
  })

  test('separates machines with the same name but different structure', () => {
    const other = createMachine({ id: 'lamp', initial: 'dark', states: { dark: {} } })
    const [a, b] = [coverage([pressed], systems), coverage([recorded(other)], { lamp: other })]
    expect(mergeCoverage([a, b]).machines).toHaveLength(2)
    expect(mergeCoverage([a, b]).totals.states).toEqual({ covered: 5, total: 7, percent: 71.4 })
  })

  test('can be limited to some machines and checked against thresholds', () => {
    const report = coverage([pressed], systems)
    expect(selectMachines(report, ['nobody']).totals.states).toEqual({ covered: 0, total: 0, percent: 100 })
    expect(selectMachines(report, ['lamp'])).toEqual(report)
    expect(checkThresholds(report, { states: 60, transitions: 40, guards: 50 })).toEqual([])
    expect(checkThresholds(report, { states: 61, transitions: 0 })).toEqual([
      { what: 'states', least: 61, covered: 3, total: 5, percent: 60 },
    ])
  })

  test('rounds down, and still passes at exactly the threshold', () => {
    const states = Array.from({ length: 3000 }, (_, n) => {
      return { path: `s${n}`, type: 'atomic' as const, entered: n === 0 ? 0 : 1 }
    })
    const counts: MachineCounts = { id: 'm', hash: '', states, transitions: [], guards: [] }
    const report = toReport([], [counts])
    expect(report.totals.states.percent).toBe(99.9)
    expect(checkThresholds(report, { states: 100 })).toHaveLength(1)
    expect(checkThresholds(report, { states: 99.96 })).toEqual([])
  })
})

describe('a trace', () => {
  test('of an unknown system is read as recorded', () => {
    const report = coverage([hit, pressed], {})
    expect(report.traces.map(({ how, reason }) => [how, reason])).toEqual([
      ['recorded', 'unknown system "lamp"; known here: none'],
      ['recorded', 'unknown system "lamp"; known here: none'],
    ])
    // Everything that a replay finds: a state that is only passed through is named by the transition to it.
    expect(short(report)).toEqual(short(coverage([hit, pressed], systems)))
  })

  test('whose steps name no transitions reports only states', () => {
    const steps = hit.steps.map(({ via: _via, ...step }) => step)
    const { traces, machines } = coverage([{ ...hit, header: hit.header, steps }], {})
    expect(traces[0]?.reason).toMatch(/so only states are counted$/)
    expect(machines[0]?.totals).toMatchObject({
      states: { covered: 4, total: 5 },
      transitions: { covered: 0, total: 5 },
      guards: { covered: 0, total: 2 },
    })
  })

  test('that diverges here counts up to the divergence', () => {
    const { traces, machines } = coverage([pressed], { lamp: lamp(true) })
    expect(traces[0]).toMatchObject({
      how: 'partly',
      reason: 'diverges from the recording at step 1',
    })
    expect(machines[0]?.missing.states).toEqual(['on', 'flash'])
  })

  test('that is damaged never throws', () => {
    for (let at = 0; at < hit.stimuli.length; at++) {
      const stimuli = hit.stimuli.map((one, n) => (n === at ? { ...one, to: 99, event: { type: '*' } } : one))
      expect(coverage([{ ...hit, header: hit.header, stimuli }], systems).machines).toHaveLength(1)
    }
  })
})

test('of our client: a storm reaches most of it, and steps and replay agree', () => {
  const { trace } = stormyRun(3)
  const chartroom = () => composeClient(declaredPorts)
  const report = coverage([trace], { chartroom })
  expect(report.traces[0]).toMatchObject({ how: 'replayed' })
  const read = toReport([], recordedCoverage(trace).counts)
  for (const machine of report.machines) {
    const other = read.machines.find(({ id }) => id === machine.id)
    expect(other?.transitions).toEqual(machine.transitions)
    // The record does not name every state that is entered and left within a step.
    const missed = other?.missing.states.filter(path => !machine.missing.states.includes(path)) ?? []
    expect(missed.length).toBeLessThan(machine.states.length / 3)
    expect(machine.missing.states.filter(path => !other?.missing.states.includes(path))).toEqual([])
  }
  expect(report.totals.states.percent).toBeGreaterThan(40)
})

test('a recording started on a running system counts its initial states', () => {
  const recording = record(lamp())
  recording.start()
  recording.actor.send({ type: 'press' })
  recording.startRecording()
  recording.actor.send({ type: 'hit' })
  expect(short(coverage([recording.trace], systems))).toEqual([
    { id: 'lamp', states: [1, 0, 1, 1, 1], transitions: [0, 0, 0, 1, 1], guards: [[0, 0]] },
  ])
})
