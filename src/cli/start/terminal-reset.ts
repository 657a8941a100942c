// Resets a project from the terminal: `r` and Enter, then `y` and Enter.
import { createInterface } from 'node:readline'
import type { ProjectFollower } from '../../../backend/project/index.ts'
import { reasonOf } from '../command.ts'
import { print, printError } from '../print.ts'

/** Reads lines while the process lives; does nothing without a terminal. */
export function offerReset(follower: ProjectFollower, input: NodeJS.ReadStream = process.stdin): void {
  if (!input.isTTY || !follower.status().canReset) return
  let isAsked = false
  // Without an output, the terminal echoes lines and sends signals itself.
  createInterface({ input }).on('line', line => {
    const word = line.trim().toLowerCase()
    if (isAsked && (word === 'y' || word === 'yes')) void reset(follower)
    else if (isAsked) print('Nothing was deleted.\n')
    isAsked = !isAsked && word === 'r'
    if (isAsked) print(`This deletes the database and the files of ${whose(follower)}. Continue? [y/N] `)
  })
}

const whose = (follower: ProjectFollower): string => follower.status().dataDir ?? 'this project, in memory'

async function reset(follower: ProjectFollower): Promise<void> {
  print('Resetting…\n')
  try {
    await follower.reset()
  } catch (error) {
    printError(`The reset failed: ${reasonOf(error)}\n`)
  }
}
