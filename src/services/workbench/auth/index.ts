// Ways to sign in, their calls, checks and explanations.
export type { CodeKind, SentCode, SignInEvent } from '../../../machines/workbench/sign-in.ts'
export {
  callAuth,
  type Called,
  here,
  type OAuthProvider,
  provideSignIn,
  sessionFacts,
} from './sign-in-ports.ts'
export {
  checkCode,
  checkEmail,
  checkForm,
  checkPassword,
  checkPhone,
  cleanPhone,
  createSignInFields,
  type Credentials,
  type FieldValues,
  needsOf,
  type TypedFields as Typed,
} from './sign-in-fields.ts'
export { explainAuthFailure, explainSignedOut, providerName } from './explain.ts'
export { factorName, factorType, hasPasskeys, METHOD_NAMES, methodsOf, verifiedFactors } from './methods.ts'
export { provideNewPassword } from './new-password-ports.ts'
export { type FailedAttempt, newPasswordView, signInView, type SignInView } from './sign-in-view.ts'
