// The uploads of this page: which wait, run, are done or failed.

export interface Upload {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly phase: 'waiting' | 'sending' | 'done' | 'failed'
  readonly message?: string
}

export type UploadsAction =
  | { readonly type: 'uploads.added'; readonly uploads: readonly Upload[] }
  | { readonly type: 'upload.started'; readonly id: number }
  | { readonly type: 'upload.done'; readonly id: number }
  | { readonly type: 'upload.failed'; readonly id: number; readonly message: string }
  | { readonly type: 'uploads.cleared' }

const set = (uploads: readonly Upload[], id: number, part: Partial<Upload>) =>
  uploads.map(upload => (upload.id === id ? { ...upload, ...part } : upload))

/** The next state of the list of uploads. */
export const uploadsReducer = (state: readonly Upload[], action: UploadsAction): readonly Upload[] => {
  switch (action.type) {
    case 'uploads.added':
      return [...state.filter(upload => upload.phase !== 'done'), ...action.uploads]
    case 'upload.started':
      return set(state, action.id, { phase: 'sending' })
    case 'upload.done':
      return set(state, action.id, { phase: 'done' })
    case 'upload.failed':
      return set(state, action.id, { phase: 'failed', message: action.message })
    case 'uploads.cleared':
      return state.filter(upload => upload.phase === 'waiting' || upload.phase === 'sending')
  }
}

/** One line for all: how many of how many are there. */
export const uploadSummary = (uploads: readonly Upload[]): string => {
  const count = (phase: Upload['phase']) => uploads.filter(upload => upload.phase === phase).length
  const failed = count('failed')
  const total = uploads.length
  const done = `${count('done')} of ${total} uploaded`
  return failed === 0 ? done : `${done}, ${failed} failed`
}
