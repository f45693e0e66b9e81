/** The extensions and names of files that people write: source, build, configuration and documentation. */

const EXTENSIONS = new Set(
  `
  c h cc cpp cxx c++ hh hpp hxx h++ inl ipp tcc tpp def m mm cu cuh cl hip metal glsl vert frag comp geom hlsl wgsl ispc
  s asm nasm inc ll td
  rs go zig nim d v odin cr vala pony hare carbon mojo
  java kt kts scala sc groovy gradle clj cljs cljc edn
  cs fs fsx fsi vb xaml csproj fsproj vbproj props targets sln
  js mjs cjs jsx ts mts cts tsx vue svelte astro coffee html htm xhtml css scss sass less styl pug hbs ejs liquid
  py pyi pyx pxd pxi ipynb rb rake gemspec erb php phtml pl pm t pod raku lua luau tcl r rmd jl m4 awk sed
  sh bash zsh fish ksh ps1 psm1 bat cmd
  hs lhs ml mli mll mly elm purs idr agda lean coq ex exs eex heex erl hrl gleam lisp lsp cl el scm ss rkt sld fnl janet
  f f77 f90 f95 f03 f08 for ada adb ads pas pp dpr cob cbl cpy bas
  swift dart gd gdshader sol move vy cairo
  sv svh vhd vhdl bsv chisel
  sql psql plsql cypher graphql gql proto thrift capnp fbs avsc prisma
  y yy l ll lex peg g4 pest lark ebnf bnf tmpl jinja j2 mustache
  cmake mk mak make am ac bzl bazel star nix dhall cue jsonnet libsonnet tf tfvars hcl ninja meson gn gni pro pri
  json jsonc json5 yaml yml toml ini cfg conf properties env xml xsd xsl plist
  md mdx markdown rst adoc asciidoc org tex bib txt texi man
  wat wast mlir smt2 mzn pddl als tla dot puml
  `
    .trim()
    .split(/\s+/),
);

const NAMES = new Set(
  `
  makefile gnumakefile bsdmakefile kbuild kconfig cmakelists.txt dockerfile containerfile vagrantfile jenkinsfile
  rakefile gemfile guardfile podfile fastfile brewfile procfile justfile tiltfile earthfile caddyfile
  build workspace buck pants sconstruct sconscript wscript meson.build meson_options.txt configure
  readme license copying notice authors contributors changelog changes news todo install hacking maintainers codeowners
  `
    .trim()
    .split(/\s+/),
);

/** Lock files have a known extension, but no person or agent writes them, and they would drown what was written. */
const GENERATED = new Set(['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'composer.lock']);

/** Whether the last part of the path has a known extension or name, in any case. */
export function knownFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (GENERATED.has(name)) return false;
  if (NAMES.has(name)) return true;
  const dot = name.lastIndexOf('.');
  return dot > 0 && EXTENSIONS.has(name.slice(dot + 1));
}
