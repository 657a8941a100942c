// Ways to sign in, their calls, checks and explanations.
export type { CodeKind, SentCode, SignInEvent } from '../../../machines/index.ts'
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
  type Credentials,
  type Typed,
} from './sign-in-fields.tmp.ts'
export { explainAuthFailure, explainSignedOut, providerName } from './explain.ts'
export { factorName, factorType, hasPasskeys, METHOD_NAMES, methodsOf, verifiedFactors } from './methods.ts'
export { provideNewPassword } from './new-password-ports.ts'
export { createSignInFields, type FieldValues, needsOf } from './sign-in-fields.ts'
export { type FailedAttempt, newPasswordView, type SignInView, signInView } from './sign-in-view.ts'
