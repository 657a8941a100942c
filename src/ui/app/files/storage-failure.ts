// What storage refused, in plain words.

/** What storage-js gives as an error; the status may be a number or a text. */
export interface StorageProblem {
  readonly message: string
  readonly status?: number | undefined
  readonly statusCode?: string | undefined
}

export interface FileFailure {
  readonly message: string
  readonly retry: boolean
}

/** A failed storage call for the user. */
export const explainStorage = (problem: StorageProblem): FileFailure => {
  // Storage answers 400 to many things and puts the true status into the body.
  const status = Number(problem.statusCode ?? problem.status ?? 0) || (problem.status ?? 0)
  if (/row-level security|policy/i.test(problem.message) || status === 403)
    return { message: 'A policy of this bucket does not let you do that here.', retry: false }
  if (/already exists|duplicate/i.test(problem.message) || status === 409)
    return { message: 'There is a file with this name already.', retry: false }
  if (/bucket not found/i.test(problem.message))
    return { message: 'There is no such bucket, or you may not see it.', retry: false }
  if (status === 404) return { message: 'There is no such file any more.', retry: false }
  if (status === 413 || /maximum allowed size|too large/i.test(problem.message))
    return { message: 'The file is larger than this bucket accepts.', retry: false }
  if (status === 401)
    return { message: 'Your session was not accepted. Sign in again if this stays.', retry: false }
  if (status === 429) return { message: 'Too many requests. Wait a little, then try again.', retry: true }
  if (status >= 500) return { message: `The backend failed (${status}). Try again in a moment.`, retry: true }
  if (status === 0)
    return { message: 'The backend does not answer. Trying again helps once it is back.', retry: true }
  return { message: problem.message, retry: false }
}
