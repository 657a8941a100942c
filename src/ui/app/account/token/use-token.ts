// Reads the access token, only while its contents are shown.
import { useEffect, useState } from 'react'
import { useClient, useStatus } from '../../../react/index.ts'
import { callAuth, explainAuthFailure } from '../../../../services/workbench/auth/index.ts'

export interface ShownToken {
  readonly token: string | undefined
  readonly problem: string | undefined
}

const NONE: ShownToken = { token: undefined, problem: undefined }

/** Reads it again when a new token replaced it. */
export const useToken = (isAsked: boolean): ShownToken => {
  const client = useClient()
  const received = useStatus(({ session }) =>
    session.phase === 'authenticated' ? session.token.receivedAt : 0,
  )
  const [shown, setShown] = useState(NONE)
  useEffect(() => {
    if (!isAsked) return
    let current = true
    void callAuth(client, auth => auth.getSession()).then(called => {
      if (!current) return
      setShown(
        called.ok
          ? { token: called.value.session?.access_token, problem: undefined }
          : { token: undefined, problem: explainAuthFailure(called.failure) },
      )
    })
    return () => {
      current = false
      setShown(NONE)
    }
  }, [client, isAsked, received])
  return isAsked ? shown : NONE
}
