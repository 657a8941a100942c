// The memory of a page's process and of other processes; on Linux only.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

/** In bytes, above what the process had when it was first watched. */
export interface Growth {
  readonly name: string
  readonly growth: number
}

export interface MemoryWatch {
  watch(name: string, pid: number): void
  stop(): readonly Growth[]
}

const SAMPLE_MS = 200

/** Watches the process of the page, named `page`. */
export async function watchMemory(page: Page): Promise<MemoryWatch> {
  const watched = new Map<string, { readonly pid: number; readonly start: number; most: number }>()
  const sample = () => {
    for (const one of watched.values()) one.most = Math.max(one.most, residentOf(one.pid))
  }
  const timer = setInterval(sample, SAMPLE_MS)
  const watch = (name: string, pid: number) => {
    const start = residentOf(pid)
    watched.set(name, { pid, start, most: start })
  }
  const pid = await pidOf(page)
  if (pid !== undefined) watch('page', pid)
  return {
    watch,
    stop() {
      sample()
      clearInterval(timer)
      return [...watched].map(([name, { start, most }]) => ({ name, growth: most - start }))
    },
  }
}

/** The largest renderer of the browser is that of the page, which is its only one. */
async function pidOf(page: Page): Promise<number | undefined> {
  const session = await page.context().browser()?.newBrowserCDPSession()
  const found = await session?.send('SystemInfo.getProcessInfo')
  const renderers = found?.processInfo.filter(({ type }) => type === 'renderer') ?? []
  const bySize = renderers.map(({ id }) => id).toSorted((a, b) => residentOf(b) - residentOf(a))
  return bySize[0]
}

/** Resident memory in bytes; 0 for a process that is gone. */
function residentOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}
