// The JavaScript of the studio. Its files are loaded one beside the other in a page, so they share their names.
import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "script", globals: globals.browser },
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "error" },
    rules: {
      complexity: ["error", 12],
      "consistent-return": "error",
      eqeqeq: "error",
      "no-shadow": "error",
      "no-undef": "off", // tsc knows the names that files share
      "no-unused-vars": ["error", { vars: "local", caughtErrors: "all" }],
      "no-var": "error",
      "prefer-const": "error",
      strict: ["error", "global"],
    },
  },
];
