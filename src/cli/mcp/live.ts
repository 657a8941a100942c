// The running apps that the tools may look at: those of `chartroom serve`, and pages of `vite dev`.

/** A running app, as a list shows it. */
export interface LiveApp {
  readonly id: string
  /** Written by the app. */
  readonly label: string
  readonly from: 'serve' | 'vite'
  readonly isRunning: boolean
  /** Whether `--allow-control` can do something with it. */
  readonly canControl: boolean
}

/** A command for a running app. */
export type LiveCommand =
  | { readonly do: 'actors' }
  | {
      readonly do: 'send'
      readonly to: string
      readonly event: Readonly<Record<string, unknown>> & { readonly type: string }
    }
  | { readonly do: 'pause' | 'resume' | 'step' }
  | { readonly do: 'fault'; readonly fault: Readonly<Record<string, unknown>> & { readonly kind: string } }
  | { readonly do: 'clear'; readonly kind?: string }
  | { readonly do: 'speed'; readonly speed: number }
  | { readonly do: 'deadline' | 'real-time' }

/** The recording of a running app: what it has until now. */
export interface LiveRecording {
  /** Differs when there is more. */
  readonly version: string
  readonly bytes: () => Promise<Uint8Array>
}

export interface LiveApps {
  readonly list: () => Promise<readonly LiveApp[]>
  /** @throws Error with the next step, if there is no such app */
  readonly recording: (id: string) => Promise<LiveRecording>
  /** Returns what the app answered. @throws Error with the next step */
  readonly command: (id: string, command: LiveCommand) => Promise<unknown>
  readonly close: () => void
}

/** Several sources of apps as one; ids begin with the kind of the source. */
export function joinApps(sources: readonly LiveApps[]): LiveApps {
  const having = async (id: string): Promise<LiveApps> => {
    for (const source of sources) if ((await source.list()).some(app => app.id === id)) return source
    throw new Error(
      `There is no live app ${JSON.stringify(id.slice(0, 60))}. The tool "recordings" lists those that run.`,
    )
  }
  return {
    list: async () => (await Promise.all(sources.map(source => source.list()))).flat(),
    recording: async id => (await having(id)).recording(id),
    command: async (id, command) => (await having(id)).command(id, command),
    close() {
      for (const source of sources) source.close()
    },
  }
}
