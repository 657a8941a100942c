// The way from the sign-in page to the reason of the sign-out; loads when there is one to show.
import { WHY_SIGNED_OUT } from '../requests/questions.ts'
import { ReasonText } from '../requests/reason-text.tsx'
import { WhyButton } from '../requests/why-button.tsx'

/** @param props.reason the sentence next to the button */
export function WhySignedOut({ reason }: { readonly reason: string }) {
  return (
    <>
      <ReasonText {...WHY_SIGNED_OUT} /> <WhyButton of={reason} {...WHY_SIGNED_OUT} />
    </>
  )
}
