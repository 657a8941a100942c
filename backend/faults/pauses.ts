// Delays that can all be ended at once, so that no fault outlives the backend.

export interface Pauses {
  /** Resolves after the delay in milliseconds, or at the end. */
  wait(milliseconds: number): Promise<void>
  /** Ends all delays; later ones resolve at once. */
  end(): void
}

export function createPauses(): Pauses {
  const waiting = new Set<() => void>()
  let isEnded = false
  return {
    wait(milliseconds) {
      if (isEnded || milliseconds <= 0) return Promise.resolve()
      return new Promise(resolve => {
        const finish = () => {
          clearTimeout(timer)
          waiting.delete(finish)
          resolve()
        }
        const timer = setTimeout(finish, milliseconds)
        waiting.add(finish)
      })
    },
    end() {
      isEnded = true
      for (const finish of waiting) finish()
    },
  }
}
