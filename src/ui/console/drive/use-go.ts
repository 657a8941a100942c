// The path to a chosen state, and the progress along it.
import { useEffect, useMemo, useRef, useState } from 'react'
import { type PathStep, pathTo, type Taken } from '../../../services/control/index.ts'
import { type MachineChart, stateLabel } from '../../../trace/index.ts'
import type { DrivePlace } from './drive-panel.tsx'
import { statePaths } from './new-breakpoint.ts'
import { examplesOf } from './payload.ts'
import type { Drive } from './use-drive.ts'

export function useGo({ control }: Drive, { actors, charts, actor, examples, goal: wanted }: DrivePlace) {
  const [goal, setGoal] = useState(wanted?.state ?? '')
  const [asked, setAsked] = useState(wanted)
  const [chosen, setChosen] = useState<string>()
  if (wanted && asked !== wanted) {
    setAsked(wanted)
    setGoal(wanted.state)
    setChosen(undefined)
  }
  /** The path being run; stays visible while the system moves along it. */
  const [under, setUnder] = useState<readonly PathStep[]>()
  const [running, setRunning] = useState<number>()
  const [taken, setTaken] = useState<Taken>()
  const going = useRef<AbortController>(undefined)
  useEffect(() => () => going.current?.abort(), [])
  const machines = control.actors().filter(({ kind, src }) => kind === 'machine' && hasStates(charts[src]))
  const named = (name: string | undefined) => machines.find(one => one.path === name)
  const living = named(chosen) ?? named(actors[actor]?.path) ?? machines[0]
  const path = living?.path ?? ''
  const chart = living && charts[living.src]
  const value = living?.value
  const state = stateLabel(value)
  // Each step creates a new object for the same state.
  const [kept, setKept] = useState({ state, value })
  if (kept.state !== state) setKept({ state, value })
  const from = kept.state === state ? kept.value : value
  const found = useMemo(
    () => (chart && goal !== '' ? pathTo(chart, from, goal) : undefined),
    [chart, from, goal],
  )
  const steps = under ?? found
  return {
    target: chart ? path : undefined,
    targets: machines.map(one => one.path),
    aim(next: string) {
      going.current?.abort()
      setChosen(next)
      setGoal('')
      setUnder(undefined)
      setTaken(undefined)
    },
    now: state,
    states: statePaths(chart),
    goal,
    choose(next: string) {
      going.current?.abort()
      setGoal(next)
      setUnder(undefined)
      setTaken(undefined)
    },
    steps,
    running,
    taken,
    stop: () => going.current?.abort(),
    take() {
      if (!found || !living) return
      const controller = new AbortController()
      going.current = controller
      setUnder(found)
      setTaken(undefined)
      const options = {
        signal: controller.signal,
        onStep: setRunning,
        payloads: found.map(({ event }) => examplesOf(examples, living.src, event)[0] ?? {}),
      }
      void control.takeMeThere(path, found, options).then(end => {
        if (going.current !== controller) return
        setTaken(end)
        setRunning(undefined)
        setUnder(undefined)
      })
    },
  }
}

const hasStates = (chart: MachineChart | undefined): boolean => (chart?.root.states.length ?? 0) > 0

export type Go = ReturnType<typeof useGo>
