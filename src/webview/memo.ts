import { createElement, type Component, type FunctionComponent } from 'preact';

/** A component that renders again only when one of its props is another value. Entries are immutable, so this holds. */
export function memo<P extends object>(render: FunctionComponent<P>): FunctionComponent<P> {
  function Memo(this: Component<P>, props: P): ReturnType<FunctionComponent<P>> {
    this.shouldComponentUpdate = (next) => differs(this.props, next);
    return createElement(render, props);
  }
  Memo.displayName = render.name;
  return Memo as FunctionComponent<P>;
}

function differs(a: object, b: object): boolean {
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return left.length !== right.size || left.some(([key, value]) => !Object.is(value, right.get(key)));
}
