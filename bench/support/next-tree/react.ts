import type { ReactNode } from 'react'

// In place of React for the components of the shop: server components know no context. Every page that is rendered here has the
// same shop above it, so that what was provided last is what is above whoever asks.

export { createElement, Fragment, useId } from 'react'

type Context<Value> = { current: Value; Provider: (props: { value: Value; children?: ReactNode }) => ReactNode }

export function createContext<Value>(initial: Value): Context<Value> {
  const context: Context<Value> = {
    current: initial,
    Provider({ value, children }) {
      context.current = value
      return children
    },
  }
  return context
}

export const useContext = <Value>(context: Context<Value>): Value => context.current
