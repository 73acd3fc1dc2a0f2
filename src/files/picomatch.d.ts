// What we use of the package, which has no types of its own.
declare module 'picomatch' {
  interface Options {
    readonly dot: boolean;
    readonly nocase: boolean;
    readonly nonegate: boolean;
    readonly posix: boolean;
  }

  function picomatch(pattern: string, options: Options): (text: string) => boolean;

  namespace picomatch {
    function scan(pattern: string): { readonly isGlob: boolean; readonly negated: boolean };
  }

  export default picomatch;
}
